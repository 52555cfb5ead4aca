import JobStorage
import Model
import Storage

extension JobQueue {
    /// Cancels the unfinished jobs of a user who is being erased, in steps, and asks their workers to stop.
    ///
    /// - Returns: the number of jobs.
    package func cancelJobs(ofUser userID: String, by writes: SteppedWrites) async throws -> Int {
        let jobs = try await database.read { try $0.jobs.unfinishedJobs(ofUser: userID) }
        writes.resetSize()
        // Workers stop the first jobs while the others are being cancelled.
        for begin in stride(from: 0, to: jobs.count, by: 500) {
            let part = Array(jobs[begin..<min(begin + 500, jobs.count)])
            let cancelled = try await writes.write(part, bytes: \.bytes) { transaction, jobs in
                let now = Timestamp.now()
                return try jobs.compactMap {
                    try transaction.jobs.cancel(jobID: $0.key, userID: userID, as: .erased, now: now)
                }
            }
            for job in cancelled.joined() { dispatcher.cancelled(job, userID: userID) }
        }
        return jobs.count
    }
}
