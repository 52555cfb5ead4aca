import Model

/// What changed of a user's jobs, the ephemeral ones left out.
///
/// It stands in two indexes, both by user and change: jobs_ended has those that are finished, and jobs_live those that
/// are not.
extension JobStore where Access == ReadTransaction {
    /// A user's jobs that changed after `change`, in the order in which they did.
    ///
    /// - Parameters:
    ///   - limit: the most jobs.
    ///   - maximumBytes: where to stop earlier, since results may be large; of each half one job is read however large.
    package func jobs(
        userID: String, changedAfter change: Int64, limit: Int, maximumBytes: Int
    ) throws -> (jobs: [JobRecord], isComplete: Bool) {
        var jobs: [JobRecord] = []
        // Behind the last of a half that has more, nothing is known yet.
        var horizon = Int64.max
        for half in Self.halves(userID: userID, changedAfter: change) {
            let (rows, isComplete) = try transaction.rows(
                "SELECT \(JobRecord.columns) FROM jobs WHERE " + half + " ORDER BY change LIMIT \(limit)",
                maximumBytes: maximumBytes)
            let records = try rows.map(JobRecord.init)
            if let last = records.last, !isComplete || records.count == limit { horizon = min(horizon, last.change) }
            jobs += records
        }
        jobs = jobs.filter { $0.change <= horizon }.sorted { $0.change < $1.change }
        return (Array(jobs.prefix(limit)), horizon == .max && jobs.count < limit)
    }

    /// How many of a user's jobs changed after `change`, counted to `limit`.
    package func countOfJobs(userID: String, changedAfter change: Int64, limit: Int) throws -> Int {
        var count = 0
        for half in Self.halves(userID: userID, changedAfter: change) {
            count +=
                try transaction.row(
                    "SELECT COUNT(*) AS count FROM (SELECT 1 FROM jobs WHERE " + half + " LIMIT \(limit)) AS changed"
                )?["count"] ?? 0
        }
        return min(count, limit)
    }

    static func halves(userID: String, changedAfter change: Int64) -> [SQL] {
        [JobRecord.hasEnded, JobRecord.isLive].map {
            "user_id = \(userID) AND change > \(change) AND \($0) AND \(JobRecord.isListed)"
        }
    }
}

extension ChangeTopic {
    /// Jobs that changed without entering another state, which the counters show.
    static let jobs = ChangeTopic("jobs")
}
