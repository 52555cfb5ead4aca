import Model
import Storage

/// Changes of a user's jobs, except ephemeral ones.
///
/// They are in two indexes by user and change: `jobs_ended` has finished jobs, and `jobs_live` has unfinished ones.
extension JobStore where Access == ReadTransaction {
    /// A user's jobs that changed after `change`, in the order of their changes.
    ///
    /// - Parameters:
    ///   - limit: the most jobs.
    ///   - maximumBytes: the bytes of rows at which to stop, since results may be large. At least one job of each index
    ///     is read.
    /// - Returns: the jobs, and whether these are all.
    package func jobs(
        userID: String, changedAfter change: Int64, limit: Int, maximumBytes: Int
    ) throws -> (jobs: [JobRecord], isComplete: Bool) {
        var jobs: [JobRecord] = []
        // Later jobs from the other index must wait until this one has been read that far.
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

    /// The number of a user's jobs that changed after `change`, at most `limit`.
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

extension JobStore {
    /// The people among `userIDs` whose rows changed after `change`, jobs or others, each with the number of the last
    /// such change.
    ///
    /// Transactions of jobs log no change, since they write the counters anyway.
    package func latestChanges(of userIDs: Set<String>, after change: Int64) throws -> [String: Int64] {
        var latest = try transaction.loggedChanges(of: userIDs, after: change)
        // job_counts has no index on `change`: every commit of a job would have to write it.
        for part in userIDs.listParts {
            try transaction.forEachRow(
                """
                SELECT user_id, MAX(change) AS change FROM job_counts
                WHERE user_id IN (\(list: part)) AND change > \(change) GROUP BY user_id
                """
            ) { row in
                let userID: String = try row["user_id"]
                latest[userID] = max(latest[userID] ?? 0, try row["change"])
                return .continue
            }
        }
        return latest
    }

    /// The number of the last change of each of these people's rows, jobs or others. They are looked up by person, so
    /// that it does not matter how much has changed for others.
    package func lastChanges(of userIDs: Set<String>) throws -> [String: Int64] {
        var latest: [String: Int64] = [:]
        for part in userIDs.listParts {
            try transaction.forEachRow(
                """
                SELECT user_id, MAX(change) AS change FROM change_log WHERE user_id IN (\(list: part)) GROUP BY user_id
                UNION ALL
                SELECT user_id, MAX(change) AS change FROM job_counts WHERE user_id IN (\(list: part)) GROUP BY user_id
                """
            ) { row in
                let userID: String = try row["user_id"]
                latest[userID] = max(latest[userID] ?? 0, try row["change"])
                return .continue
            }
        }
        return latest
    }
}

extension ChangeTopic {
    /// Changes of jobs that move no counter.
    static let jobs = ChangeTopic("jobs")
}
