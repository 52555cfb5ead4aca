/// Rules about quotas: nobody exceeds one, only what would exceed one is refused, and what is refused leaves nothing
/// behind.
extension Record {
    var brokenQuotas: [Violation] { exceededQuotas + falseRefusals + lateRefusals + refusedSearches }

    /// The table's times and those of requests are whole milliseconds.
    private static let tolerance = 2

    /// One person's use of a quota, by the order of the writes.
    private struct Use {
        /// The time in milliseconds of each write that changed it, and the use from then on.
        private var levels: [(at: Int, count: Int)] = []

        private(set) var most = 0

        mutating func add(_ change: Int, at: Int) {
            let count = (levels.last?.count ?? 0) + change
            levels.append((at, count))
            most = max(most, count)
        }

        /// The largest use at any moment between the two times. A request is decided in a transaction at one of them,
        /// and ends that are written meanwhile come before or after it.
        func most(from start: Int, to end: Int) -> Int {
            let before = levels.last { $0.at < start }?.count ?? 0
            return levels.lazy.filter { start <= $0.at && $0.at <= end }.map { $0.count }.reduce(before, max)
        }
    }

    /// Unfinished jobs that people submitted, by person.
    private var unfinishedJobs: [String: Use] { unfinished { _ in 1 } }

    /// The bytes of these jobs' payloads, by person.
    private var unfinishedBytes: [String: Use] { unfinished { $0.payload.utf8.count } }

    /// - Parameter size: how much a job counts for.
    private func unfinished(_ size: (Job) -> Int) -> [String: Use] {
        changes.reduce(into: [:]) { uses, change in
            guard let job = jobs[change.jobID], job.isSubmitted else { return }
            let counted = !change.from.isEmpty && !Self.finished.contains(change.from)
            let counts = change.to != "deleted" && !Self.finished.contains(change.to)
            if counts != counted {
                uses[change.userID, default: Use()].add(counts ? size(job) : -size(job), at: change.at)
            }
        }
    }

    private var runningSearches: [String: Use] {
        searchChanges.reduce(into: [:]) { uses, change in
            uses[change.userID, default: Use()].add(change.isRunning ? 1 : -1, at: change.at)
        }
    }

    private var exceededQuotas: [Violation] {
        func exceeded(_ uses: [String: Use], _ limit: Int, _ what: String) -> [Violation] {
            uses.filter { $0.value.most > limit }.sorted { $0.key < $1.key }.map { person, use in
                Violation(.quotas, "the person \(person) had \(use.most) \(what), but may have \(limit)")
            }
        }
        return exceeded(runningSearches, maximumRunningSearches, "running searches")
            + exceeded(unfinishedJobs, maximumUnfinishedJobs, "unfinished jobs")
            + exceeded(unfinishedBytes, maximumUnfinishedBytes, "bytes of unfinished jobs")
    }

    /// Refusals by a quota that the person cannot have reached at any moment from the request to its answer.
    private var falseRefusals: [Violation] {
        let (searches, jobs, bytes) = (runningSearches, unfinishedJobs, unfinishedBytes)
        return requests.filter(\.isRefusedByQuota).compactMap { request in
            // The quotas that the request may have exceeded; answers do not show a history which one it was.
            let quotas: [(uses: [String: Use], limit: Int, asked: Int)] =
                switch request.purpose {
                case .search: [(searches, maximumRunningSearches, 1)]
                case .submit(let submitted):
                    [
                        (jobs, maximumUnfinishedJobs, submitted.count),
                        (bytes, maximumUnfinishedBytes, submitted.reduce(0) { $0 + $1.payload.utf8.count }),
                    ]
                case .requeue(let id):
                    [
                        (jobs, maximumUnfinishedJobs, 1),
                        (bytes, maximumUnfinishedBytes, self.jobs[id]?.payload.utf8.count ?? 0),
                    ]
                // It requests nothing more.
                case .cancel: []
                }
            let end = request.answeredTime == .max ? Int.max : request.answeredTime + Self.tolerance
            let used = quotas.map {
                $0.uses[request.userID]?.most(from: request.sentTime - Self.tolerance, to: end) ?? 0
            }
            guard zip(quotas, used).allSatisfy({ $0.asked + $1 <= $0.limit }) else { return nil }
            let uses = zip(quotas, used).map { "at most \($1) of \($0.limit)" }
            return Violation(
                .quotas,
                "\(request.purpose) was refused for a quota, and \(request.userID) had used "
                    + (uses.isEmpty ? "none" : uses.joined(separator: " and ")))
        }
    }

    /// Repeated requests that were refused after they had been accepted: their jobs are already counted.
    private var lateRefusals: [Violation] {
        requests.filter(\.isRefusedByQuota).compactMap { request in
            guard case .submit(let jobs) = request.purpose, jobs.count == 1, jobs[0].isIdempotent else { return nil }
            let wasAccepted = requests.contains { earlier in
                guard case .submit(let others) = earlier.purpose, case .accepted = earlier.answer else { return false }
                return others == jobs && earlier.answeredAt < request.sentAt
            }
            guard wasAccepted else { return nil }
            return Violation(.quotas, "job \(jobs[0].tag) was accepted, but refused when its request was repeated")
        }
    }

    /// More searches in the table than requests that a quota did not refuse. For jobs, ``doubledJobs`` has this rule.
    private var refusedSearches: [Violation] {
        var wanted: [String: Int] = [:]
        for request in requests {
            guard case .search = request.purpose, !request.isRefusedByQuota else { continue }
            wanted[request.userID, default: 0] += 1
        }
        return Dictionary(grouping: searchOwners.values) { $0 }.mapValues(\.count).sorted { $0.key < $1.key }
            .filter { $0.value > wanted[$0.key, default: 0] }.map { person, count in
                Violation(
                    .quotas,
                    "\(person) has \(count) searches, and \(wanted[person, default: 0]) requests for one were "
                        + "not refused")
            }
    }
}
