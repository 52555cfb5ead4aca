/// Rules about quotas: nobody exceeds one, only what would exceed one is refused, and what is refused leaves nothing.
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
    private var unfinishedJobs: [String: Use] {
        changes.reduce(into: [:]) { uses, change in
            guard jobs[change.jobID]?.isSubmitted == true else { return }
            let counted = !change.from.isEmpty && !Self.finished.contains(change.from)
            let counts = change.to != "deleted" && !Self.finished.contains(change.to)
            if counts != counted { uses[change.userID, default: Use()].add(counts ? 1 : -1, at: change.at) }
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
                Violation(.quotas, "the person \(person) had \(use.most) \(what), and may have \(limit)")
            }
        }
        return exceeded(runningSearches, maximumRunningSearches, "running searches")
            + exceeded(unfinishedJobs, maximumUnfinishedJobs, "unfinished jobs")
    }

    /// Refusals by a quota that the person cannot have reached at any moment from the request to its answer.
    private var falseRefusals: [Violation] {
        let (searches, unfinished) = (runningSearches, unfinishedJobs)
        return requests.filter(\.isRefusedByQuota).compactMap { request in
            let (uses, limit, asked) =
                switch request.purpose {
                case .submit(let jobs): (unfinished, maximumUnfinishedJobs, jobs.count)
                case .requeue: (unfinished, maximumUnfinishedJobs, 1)
                case .search: (searches, maximumRunningSearches, 1)
                // It asks for nothing more.
                case .cancel: (unfinished, maximumUnfinishedJobs, 0)
                }
            let end = request.answeredTime == .max ? Int.max : request.answeredTime + Self.tolerance
            let most = uses[request.userID]?.most(from: request.sentTime - Self.tolerance, to: end) ?? 0
            guard most + asked <= limit else { return nil }
            return Violation(
                .quotas,
                "\(request.purpose) was refused for a quota of \(limit), of which \(request.userID) had used "
                    + "at most \(most)")
        }
    }

    /// Repeated requests that were refused after they had been accepted: their jobs count already.
    private var lateRefusals: [Violation] {
        requests.filter(\.isRefusedByQuota).compactMap { request in
            guard case .submit(let jobs) = request.purpose, jobs.count == 1, jobs[0].isIdempotent else { return nil }
            let wasAccepted = requests.contains { earlier in
                guard case .submit(let others) = earlier.purpose, case .accepted = earlier.answer else { return false }
                return others == jobs && earlier.answeredAt < request.sentAt
            }
            guard wasAccepted else { return nil }
            return Violation(.quotas, "job \(jobs[0].tag) was accepted, and refused when its request was repeated")
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
