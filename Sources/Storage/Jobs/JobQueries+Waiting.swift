import Model

/// What a dispatcher must know: the jobs of all people that wait.
///
/// The index on unfinished jobs is by person, for event streams: what changed is looked for with one person after the
/// other.
extension JobStore {
    /// Jobs that wait, changed after `change`, in the order in which they did.
    ///
    /// - Parameter last: the last change that counts.
    package func waitingJobs(
        changedAfter change: Int64, through last: Int64 = .max, limit: Int
    ) throws -> [WaitingJob] {
        var waiting: [WaitingJob] = []
        // Of the others nothing behind it can be among the first.
        var horizon = last
        for person in try peopleWithUnfinishedJobs() {
            waiting += try transaction.map(
                """
                SELECT id, user_id, on_behalf_of, kind, version, priority, state, created_at, run_at, started_at,
                    is_suspect, crashes, crash_group, outage_at, change
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

    /// One look at the index for each of them, whatever the number of their jobs.
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
    /// Those that changed first.
    fileprivate func first(_ limit: Int) -> [WaitingJob] {
        Array(sorted { $0.change < $1.change }.prefix(limit))
    }
}
