import Model
import Storage

extension JobQueue {
    /// Cancels the unfinished jobs of a user who is being erased, in steps, and tells their workers to stop.
    ///
    /// - Returns: the number of jobs.
    package func cancelJobs(ofUser userID: String, by writes: SteppedWrites) async throws -> Int {
        let ids = try await database.read { try $0.jobs.unfinishedJobs(ofUser: userID) }
        writes.startAnew()
        // Workers stop the first jobs while the others are being cancelled.
        for begin in stride(from: 0, to: ids.count, by: 500) {
            let part = Array(ids[begin..<min(begin + 500, ids.count)])
            let cancelled = try await writes.write(part) { transaction, ids in
                let now = Timestamp.now()
                return try ids.compactMap {
                    try transaction.jobs.cancel(jobID: $0, userID: userID, as: .erased, now: now)
                }
            }
            for job in cancelled.joined() { dispatcher.cancelled(job, userID: userID) }
        }
        return ids.count
    }
}
