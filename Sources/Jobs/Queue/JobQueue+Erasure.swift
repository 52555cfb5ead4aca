import Model
import Storage

extension JobQueue {
    /// Cancels unfinished jobs of a user in one transaction and has their workers stop.
    ///
    /// - Returns: how many.
    package func cancelJobs(ofUser userID: String, limit: Int) async throws -> Int {
        let (count, cancelled) = try await database.write { transaction in
            let ids = try transaction.unfinishedJobs(ofUser: userID, limit: limit)
            let now = Timestamp.now()
            return (ids.count, try ids.compactMap { try transaction.cancel(jobID: $0, userID: userID, now: now) })
        }
        for job in cancelled { dispatcher.cancelled(job, userID: userID) }
        return count
    }
}
