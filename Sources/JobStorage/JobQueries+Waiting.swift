import Model
import Storage

/// The dispatcher's queries for the waiting jobs of all people.
///
/// The index on unfinished jobs is by user and change, for event streams. So these queries go from one user to the
/// next.
extension JobStore {
    /// Scheduled and queued jobs that changed after `change`, in the order of their changes.
    ///
    /// - Parameter last: the last change that counts.
    /// - Returns: at most `limit` jobs, those with the earliest changes.
    package func waitingJobs(
        changedAfter change: Int64, through last: Int64 = .max, limit: Int
    ) throws -> [WaitingJob] {
        var waiting: [WaitingJob] = []
        // Later changes can no longer be among the first `limit`.
        var horizon = last
        for person in try peopleWithUnfinishedJobs() {
            waiting += try transaction.map(
                """
                SELECT id, run, user_id, on_behalf_of, kind, version, priority, state, created_at, run_at, started_at,
                    planned_at, submitted_bytes, is_suspect, crashes, crash_group, outage_at, change
                FROM jobs
                WHERE user_id = \(person) AND \(JobRecord.isLive) AND change > \(change) AND change <= \(horizon)
                    AND state <> 'running'
                ORDER BY change LIMIT \(limit)
                """, WaitingJob.init)
            if waiting.count / 2 >= limit {
                waiting = waiting.first(limit)
                horizon = waiting.last?.change ?? horizon
            }
        }
        return waiting.first(limit)
    }

    /// The users with unfinished jobs: one search of the index for each, regardless of the number of their jobs.
    private func peopleWithUnfinishedJobs() throws -> [String] {
        try transaction.map(Self.peopleWithUnfinishedJobs) { try $0["user_id"] }
    }

    static var peopleWithUnfinishedJobs: SQL {
        """
        WITH RECURSIVE people (user_id) AS (
            SELECT MIN(user_id) FROM jobs WHERE \(JobRecord.isLive)
            UNION ALL
            SELECT (SELECT MIN(jobs.user_id) FROM jobs WHERE \(JobRecord.isLive) AND jobs.user_id > people.user_id)
            FROM people WHERE people.user_id IS NOT NULL)
        SELECT user_id FROM people WHERE user_id IS NOT NULL
        """
    }
}

extension [WaitingJob] {
    /// The jobs with the earliest changes.
    fileprivate func first(_ limit: Int) -> [WaitingJob] {
        Array(sorted { $0.change < $1.change }.prefix(limit))
    }
}
