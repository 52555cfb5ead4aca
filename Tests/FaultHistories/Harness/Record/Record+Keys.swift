/// Rules about unique keys, idempotent requests, and the number of jobs per request.
extension Record {
    var doubledKeys: [Violation] {
        /// The unfinished job of each key.
        var holders: [String: String] = [:]
        var violations: [Violation] = []
        for change in changes {
            guard let uniqueKey = change.uniqueKey else { continue }
            let key = change.userID + " " + uniqueKey
            if ["succeeded", "failed", "cancelled"].contains(change.to) {
                if holders[key] == change.jobID { holders[key] = nil }
            } else if let holder = holders[key], holder != change.jobID {
                violations.append(
                    .init(.uniqueness, "\(name(change.jobID)) has the unique key \(uniqueKey) of \(name(holder))"))
            } else {
                holders[key] = change.jobID
            }
        }
        return violations
    }

    /// More jobs than requests for them, or two jobs for requests that were declared to be the same.
    var doubledJobs: [Violation] {
        var violations: [Violation] = []
        var idempotentTags: Set<Int> = []
        var answers: [Int: Set<String>] = [:]
        var wanted: [String: Int] = [:]
        for request in requests {
            guard case .submit(let jobs) = request.purpose, !request.isRefusedByQuota else { continue }
            for (index, job) in jobs.enumerated() {
                let isRepeated = job.isIdempotent && !idempotentTags.insert(job.tag).inserted
                if !isRepeated { wanted[job.payload, default: 0] += 1 }
                if job.isIdempotent, case .accepted(let ids) = request.answer, index < ids.count {
                    answers[job.tag, default: []].insert(ids[index])
                }
            }
        }
        for (tag, ids) in answers where ids.count > 1 {
            let made = ids.sorted().joined(separator: " and ")
            violations.append(.init(.uniqueness, "the idempotent request of job \(tag) made \(made)"))
        }
        let found = Dictionary(grouping: jobs.values.filter(\.isSubmitted), by: \.payload).mapValues(\.count)
        for (payload, count) in found where count > wanted[payload, default: 0] {
            violations.append(
                .init(
                    .uniqueness,
                    "\(count) jobs have the payload \(payload), which was asked for "
                        + "\(wanted[payload, default: 0]) times"))
        }
        return violations
    }
}
