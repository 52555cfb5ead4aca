import Model
import Storage

extension JobQueue {
    /// Cancels unfinished jobs of a user who is being erased in one transaction and has their workers stop.
    ///
    /// - Returns: how many.
    package func cancelJobs(ofUser userID: String, limit: Int) async throws -> Int {
        let (count, cancelled) = try await database.write { transaction in
            let ids = try transaction.jobs.unfinishedJobs(ofUser: userID, limit: limit)
            let now = Timestamp.now()
            let cancelled = try ids.compactMap {
                try transaction.jobs.cancel(jobID: $0, userID: userID, as: .erased, now: now)
            }
            return (ids.count, cancelled)
        }
        for job in cancelled { dispatcher.cancelled(job, userID: userID) }
        return count
    }
}
