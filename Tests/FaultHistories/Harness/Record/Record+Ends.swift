/// Rules about ends: an accepted job ends, it ends once, and its result agrees with its state.
extension Record {
    static let finished: Set<String> = ["succeeded", "failed", "cancelled"]

    /// Accepted jobs, with their descriptions in the request.
    var acceptedJobs: [(id: String, job: SubmittedJob, request: Request)] {
        requests.flatMap { request -> [(id: String, job: SubmittedJob, request: Request)] in
            guard case .submit(let jobs) = request.purpose, case .accepted(let ids) = request.answer else { return [] }
            return zip(ids, jobs).map { ($0, $1, request) }
        }
    }

    var lostJobs: [Violation] {
        var violations: [Violation] = []
        for (id, job, _) in acceptedJobs {
            guard let row = jobs[id] else {
                violations.append(.init(.acceptedEnds, "job \(job.tag) was accepted as \(id) and does not exist"))
                continue
            }
            if row.payload != job.payload {
                violations.append(.init(.resultAgrees, "job \(job.tag) was answered with \(id), which is another job"))
            }
        }
        for job in jobs.values where !Self.finished.contains(job.state) {
            violations.append(.init(.acceptedEnds, "\(name(job.id)) is \(job.state) at the end"))
        }
        return violations
    }

    var lostSearches: [Violation] {
        searches.compactMap { search in
            guard let state = search.state else {
                return Violation(.acceptedEnds, "search \(search.id) was accepted and does not exist")
            }
            guard state == "running" || (state != "cancelled" && search.open > 0) else { return nil }
            return Violation(
                .acceptedEnds, "search \(search.id) is \(state) with \(search.open) artists left to look up")
        }
    }

    /// The changes that `docs/jobs.md` draws, except those that increase the run number.
    private static let sameRun: [String: Set<String>] = [
        "scheduled": ["queued", "cancelled"], "queued": ["cancelled"],
        "running": ["succeeded", "failed", "scheduled", "queued", "cancelled"], "failed": ["queued"],
    ]

    var impossibleChanges: [Violation] {
        changes.compactMap { change in
            let isPossible =
                switch (change.from, change.to) {
                case ("", "scheduled"), ("", "queued"): change.run == 0
                case ("", "running"): change.run == 1
                case ("queued", "running"): change.run == change.oldRun + 1
                default: Self.sameRun[change.from]?.contains(change.to) == true && change.run == change.oldRun
                }
            guard !isPossible else { return nil }
            let rule: Violation.Rule = change.from == "cancelled" ? .cancelledRests : .endsOnce
            return Violation(
                rule,
                "\(name(change.jobID)) went from '\(change.from)', run \(change.oldRun), to '\(change.to)', "
                    + "run \(change.run)")
        }
    }

    /// Attempts are counted as `docs/jobs.md` says: an assignment is one, a release undoes it, and a requeue starts
    /// over.
    var misledAttempts: [Violation] {
        var counted: [String: (attempt: Int, failures: Int)] = [:]
        for change in changes {
            var entry = counted[change.jobID] ?? (0, 0)
            switch (change.from, change.to) {
            case (_, "running"): entry.attempt += 1
            case ("running", "queued"): entry.attempt -= 1
            case ("failed", "queued"): entry.attempt = 0
            case ("running", "failed"), ("running", "scheduled"): entry.failures += 1
            default: break
            }
            counted[change.jobID] = entry
        }
        return jobs.values.filter(\.isSubmitted).flatMap { job -> [Violation] in
            let (attempt, failures) = counted[job.id] ?? (0, 0)
            var violations: [Violation] = []
            if attempt != job.attempt {
                violations.append(
                    .init(.endsOnce, "\(name(job.id)) is at attempt \(job.attempt) and was given \(attempt)"))
            }
            let recorded = job.attempts.count { $0 != "workerDied" }
            if recorded != failures {
                violations.append(
                    .init(.endsOnce, "\(name(job.id)) failed \(failures) times, and \(recorded) stand on record"))
            }
            return violations
        }
    }

    var disagreements: [Violation] {
        var violations = falseCounters.map { Violation(.resultAgrees, $0) }
        for job in jobs.values {
            if let wrong = disagreement(of: job) { violations.append(.init(.resultAgrees, "\(name(job.id)) \(wrong)")) }
            if let shown = shown[job.id], shown != job.state {
                violations.append(.init(.resultAgrees, "\(name(job.id)) is shown as \(shown) and is \(job.state)"))
            }
        }
        for change in changes.reversed() {
            guard let job = jobs[change.jobID] else { continue }
            // The last change of each job is its final state.
            if lastChange[change.jobID] == change, change.to != job.state || change.run != job.run {
                violations.append(.init(.resultAgrees, "\(name(job.id)) is not as its last change left it"))
            }
        }
        return violations
    }

    private var lastChange: [String: Change] {
        Dictionary(changes.map { ($0.jobID, $0) }) { _, last in last }
    }

    private func disagreement(of job: Job) -> String? {
        if job.hasEnd != Self.finished.contains(job.state) {
            return "is \(job.state), and its time of end says otherwise"
        }
        if job.hasEnd, job.hasLease { return "has ended, and still has a lease" }
        switch job.state {
        case "succeeded":
            if job.errorCode != nil { return "succeeded with the error \(job.errorCode ?? "")" }
            guard let result = job.result else { return "succeeded without a result" }
            if job.isEcho, result != job.payload { return "has the result \(result) for \(job.payload)" }
        case "failed":
            guard let code = job.errorCode else { return "failed without an error" }
            if job.result != nil { return "failed with a result" }
            if job.isEcho, !["failedAsAsked", "poison"].contains(code) { return "failed with \(code)" }
            if job.isSteps, !["invalidPayload", "poison"].contains(code) { return "failed with \(code)" }
            if code == "poison", job.attempts.count(where: { $0 == "workerDied" }) < 2 {
                return "is poison after fewer than three deaths"
            }
            if code == "failedAsAsked", job.attempt != History.maximumAttempts {
                return "was given up at attempt \(job.attempt) of \(History.maximumAttempts)"
            }
        default:
            break
        }
        return nil
    }

    /// A job's number in the history, if it has one, and its id.
    func name(_ id: String) -> String {
        tags[id].map { "job \($0) (\(id))" } ?? "job \(id)"
    }

    private var tags: [String: Int] {
        Dictionary(acceptedJobs.map { ($0.id, $0.job.tag) }) { first, _ in first }
    }
}
