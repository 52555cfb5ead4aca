import Accounts
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
    private let removeFiles: @Sendable (_ userID: String) async -> Void
    /// Ends with the last erasure in the queue.
    private var last: Task<Void, Never>?
    /// The number of running and waiting erasures.
    private var count = 0

    /// - Parameter removeFiles: removes the files that are waiting to be imported for a person who is gone, while their
    ///   rows still name them. An upkeep step of the imports removes what it leaves, for instance after a crash.
    init(
        accounts: Accounts, queue: JobQueue, tables: PersonalTables,
        removeFiles: @escaping @Sendable (_ userID: String) async -> Void = { _ in }
    ) {
        self.accounts = accounts
        self.queue = queue
        self.tables = tables
        self.removeFiles = removeFiles
        writes = SteppedWrites(queue.database, checkpoints: true)
    }

    /// Erases a person. The erasure continues when the caller's task is cancelled or stops waiting.
    ///
    /// - Parameters:
    ///   - timeout: the longest wait for the last row.
    ///   - whenGone: called when the person is gone and signed out, before their other rows are deleted.
    /// - Returns: whether all rows are deleted. `false` when the rest is still being deleted.
    /// - Throws: ``StorageError``.
    @discardableResult
    func erase(
        userID: String, timeout: Duration = .seconds(3_600), whenGone: @Sendable () -> Void = {}
    ) async throws -> Bool {
        try await accounts.beginErasure(userID: userID)
        whenGone()
        await removeFiles(userID)
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

    /// Erases rows that are marked for erasure, by requests that ended after their person's removal or by another
    /// process.
    func eraseMarked() async throws {
        if try await accounts.hasUnfinishedErasures() { try await eraseLeftovers() }
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
