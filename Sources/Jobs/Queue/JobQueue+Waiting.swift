import JobStorage
import Model
import Storage

extension JobQueue {
    /// Waits until a job has ended.
    ///
    /// - Parameters:
    ///   - waiter: a waiter that was made before the job was submitted; without one the job may already have ended.
    ///   - limit: how long to wait.
    /// - Returns: the job; `nil` if it did not end in time or no longer exists.
    package func finished(
        _ id: String, userID: String, waiter: JobWaiter? = nil, within limit: Duration
    ) async throws -> JobRecord? {
        let job = try await read(
            atSignalsOf: waiter ?? events.waiter(forJob: id), beforeFirstSignal: waiter == nil, within: limit
        ) { reader in
            try reader.jobs.awaitedJob(id: id, userID: userID)
        } until: { job in
            job?.state.isFinished ?? true
        }
        return job.flatMap { $0.state.isFinished ? $0 : nil }
    }

    /// Reads a person's rows, and again after each change of them, until `isDone`.
    ///
    /// - Parameter limit: how long to wait; zero reads once.
    /// - Returns: what was read last, which may not be done when the limit is reached or the gateway stops.
    package func read<Value: Sendable>(
        ofUser userID: String, within limit: Duration, _ body: @escaping @Sendable (ReadTransaction) throws -> Value,
        until isDone: (Value) -> Bool
    ) async throws -> Value {
        // The waiter is made before the first read, so that no change in between is missed.
        try await read(
            atSignalsOf: events.waiter(forUser: userID), beforeFirstSignal: true, within: limit, body, until: isDone)
    }

    private func read<Value: Sendable>(
        atSignalsOf waiter: JobWaiter, beforeFirstSignal: Bool, within limit: Duration,
        _ body: @escaping @Sendable (ReadTransaction) throws -> Value, until isDone: (Value) -> Bool
    ) async throws -> Value {
        let deadline = ContinuousClock.now.advanced(by: limit)
        if !beforeFirstSignal { await waiter.wait(until: deadline) }
        while true {
            let value = try await database.read(body)
            if isDone(value) || ContinuousClock.now >= deadline || events.isClosed || Task.isCancelled { return value }
            await waiter.wait(until: deadline)
        }
    }
}
