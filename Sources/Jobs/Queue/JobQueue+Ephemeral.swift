import Contracts
import JobStorage
import Model
import Storage

extension JobQueue {
    /// How long an ephemeral job is kept after its end, and how long it may stay unfinished: nobody waits longer.
    package static let ephemeralLifetime = Duration.seconds(300)

    /// Cancels a job that nobody waits for any longer, ephemeral or not.
    ///
    /// - Returns: the job as it is now; `nil` when the user has no job of that id.
    func cancelAwaited(id: String, userID: String) async throws -> JobRecord? {
        let (cancelled, job) = try await database.write { transaction in
            let cancelled = try transaction.jobs.cancel(jobID: id, userID: userID, now: .now())
            return (cancelled, try transaction.jobs.awaitedJob(id: id, userID: userID))
        }
        if let cancelled { dispatcher.cancelled(cancelled, userID: userID) }
        return job
    }

    /// Deletes ephemeral jobs that ended ``ephemeralLifetime`` ago, and cancels unfinished ones that were submitted as
    /// long ago: the gateway that waited for them went down. Jobs with times from a clock that was ahead by more than
    /// that count as old.
    ///
    /// - Parameters:
    ///   - time: the trusted present time.
    ///   - limit: the most jobs in one transaction. It repeats until there are fewer, or the task is cancelled.
    package func pruneEphemeral(at time: PruningTime, limit: Int = 500) async throws {
        let cutoff = time.before(Self.ephemeralLifetime)
        let future = time.moment.advanced(by: Self.ephemeralLifetime)
        var isFull = true
        while isFull, !Task.isCancelled {
            let old = try await database.read {
                try $0.jobs.ephemeralJobs(before: cutoff.moment, after: future, limit: limit)
            }
            for job in old where !job.isFinished { _ = try await cancelAwaited(id: job.id, userID: job.userID) }
            let ended = old.filter(\.isFinished).map(\.id)
            if !ended.isEmpty {
                _ = try await database.write {
                    try $0.jobs.pruneJobs(ended, finishedBefore: cutoff, orAfter: future)
                }
            }
            isFull = old.count == limit
        }
    }
}
