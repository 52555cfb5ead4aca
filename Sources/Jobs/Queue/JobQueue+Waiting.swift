import Model
import Storage

extension JobQueue {
    /// The job once it has ended, if it does so in time.
    ///
    /// - Parameter waiter: one that was made before the job was submitted; without one the job may have ended already.
    package func finished(
        _ id: String, userID: String, waiter: JobWaiter? = nil, within limit: Duration
    ) async throws -> JobRecord? {
        let isEarlier = waiter == nil
        let waiter = waiter ?? events.waiter(forJob: id)
        let deadline = ContinuousClock.now.advanced(by: limit)
        if isEarlier, let job = try await database.read({ try $0.jobs.awaitedJob(id: id, userID: userID) }),
            job.state.isFinished
        {
            return job
        }
        while true {
            await waiter.wait(until: deadline)
            let job = try await database.read { try $0.jobs.awaitedJob(id: id, userID: userID) }
            if let job, job.state.isFinished { return job }
            if job == nil || ContinuousClock.now >= deadline || events.isClosed || Task.isCancelled { return nil }
        }
    }
}
