import Accounts
import DomainEvents
import Gateway
import Jobs
import Model
import Storage

/// Erases people in the gateway, which also stops the workers of their jobs. The rows of one person are erased after
/// those of another, so that many erasures at once hold the write lock no longer than one.
actor UserErasure {
    private let accounts: Accounts
    private let queue: JobQueue
    private let tables: PersonalTables
    private let writes: SteppedWrites
    private let erasedHandlers: [PersonErasedHandler]
    /// Ends with the last erasure in the queue.
    private var last: Task<Void, Never>?
    /// The number of running and waiting erasures.
    private var count = 0

    /// - Parameter erasedHandlers: what other domains do when a person is erased, in this order.
    init(
        accounts: Accounts, queue: JobQueue, tables: PersonalTables,
        erasedHandlers: [PersonErasedHandler] = []
    ) {
        self.accounts = accounts
        self.queue = queue
        self.tables = tables
        self.erasedHandlers = erasedHandlers
        writes = SteppedWrites(queue.database, checkpoints: true, hasWritten: ErasureCrash.afterStep)
    }

    /// Erases a person. The erasure continues when the caller's task is cancelled or stops waiting.
    ///
    /// - Parameters:
    ///   - timeout: the longest wait for the last row.
    ///   - keepsAdministrator: refuses to erase the only administrator while others are here.
    ///   - whenGone: called when the person is gone and signed out, before their other rows are deleted.
    /// - Returns: whether all rows are deleted. `false` when the rest is still being deleted.
    /// - Throws: ``AccountError/lastAdministrator``; ``StorageError``.
    @discardableResult
    func erase(
        userID: String, timeout: Duration = .seconds(3_600), keepsAdministrator: Bool = false,
        whenGone: @Sendable () -> Void = {}
    ) async throws -> Bool {
        try await accounts.beginErasure(userID: userID, keepsAdministrator: keepsAdministrator)
        ErasureCrash.afterStep()
        whenGone()
        for handler in erasedHandlers { await handler(userID: userID, in: queue.database) }
        let work = enqueue { [accounts, tables, writes, queue] in
            try await accounts.finishErasure(
                userID: userID, tables: tables, by: writes, cancelJobs: queue.cancelJobs)
        }
        let (results, continuation) = AsyncStream<Result<Bool, any Error>>.makeStream()
        Task { continuation.yield(await work.result.map { _ in true }) }
        let timer = Task {
            try await Task.sleep(for: timeout)
            continuation.yield(.success(false))
        }
        defer { timer.cancel() }
        for await result in results { return try result.get() }
        // The caller's task was cancelled.
        return false
    }

    /// Erases rows that requests and workers wrote in the name of people during their erasure, and finishes interrupted
    /// erasures. While a person is being erased, it leaves this to its next run.
    func eraseLeftovers() async throws {
        // Cancelling this call would not end the erasure that it would wait for.
        guard count == 0 else { return }
        let work = enqueue { [accounts, tables, writes, queue] in
            _ = try await accounts.eraseLeftovers(tables: tables, by: writes, cancelJobs: queue.cancelJobs)
        }
        try await withTaskCancellationHandler {
            try await work.value
        } onCancel: {
            work.cancel()
        }
    }

    /// Erases rows that requests wrote which ended after their person's removal, soon after they marked them. An erasure
    /// that has just begun is left to the process that began it, and one that has to wait to ``eraseLeftovers()``.
    func eraseMarked(now: Timestamp = .now()) async throws {
        let recently = now.advanced(by: .seconds(-60))...now.advanced(by: .seconds(-5))
        if try await accounts.hasErasures(begunIn: recently) { try await eraseLeftovers() }
    }

    /// Starts a task that runs `body` after the erasures that were enqueued before.
    private func enqueue(_ body: @escaping @Sendable () async throws -> Void) -> Task<Void, any Error> {
        let before = last
        let work = Task {
            await before?.value
            try await body()
        }
        count += 1
        last = Task {
            _ = await work.result
            count -= 1
        }
        return work
    }
}
