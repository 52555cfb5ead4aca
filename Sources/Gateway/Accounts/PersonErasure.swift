import Accounts
import Jobs
import Model
import Storage

/// Erases people where jobs are handed out, so that their workers stop: the rows of one person after those of another,
/// so that many who leave at once hold the write lock no longer than one.
actor PersonErasure {
    private let accounts: Accounts
    private let queue: JobQueue
    private let tables: PersonalTables
    private let writes: SteppedWrites
    /// The end of the one that came last.
    private var last: Task<Void, Never>?
    /// How many go on or wait.
    private var count = 0

    init(accounts: Accounts, queue: JobQueue, tables: PersonalTables) {
        self.accounts = accounts
        self.queue = queue
        self.tables = tables
        writes = SteppedWrites(queue.database, log: .moves)
    }

    /// Erases a person; goes on when the caller's task is cancelled, or gives up waiting.
    ///
    /// - Parameters:
    ///   - patience: how long to wait for the last of their rows.
    ///   - whenGone: called when they are gone, and have rows left.
    /// - Returns: whether no row of theirs is in the database. When it is `false` they are gone and signed out all the
    ///   same, and the rest is being deleted.
    @discardableResult
    func erase(
        userID: String, patience: Duration = .seconds(3_600), whenGone: @Sendable () -> Void = {}
    ) async throws -> Bool {
        try await accounts.beginErasure(userID: userID)
        whenGone()
        let work = inTurn { [accounts, tables, writes, queue] in
            try await accounts.finishErasure(
                userID: userID, tables: tables, by: writes, cancelJobs: queue.cancelJobs)
        }
        let (results, told) = AsyncStream<Result<Bool, any Error>>.makeStream()
        Task { told.yield(await work.result.map { _ in true }) }
        let timer = Task {
            try await Task.sleep(for: patience)
            told.yield(.success(false))
        }
        defer { timer.cancel() }
        for await result in results { return try result.get() }
        // The caller's task was cancelled.
        return false
    }

    /// Erases what requests and workers wrote in the name of people while these were erased, unless somebody is being
    /// erased; then the next run does.
    func eraseLeftovers() async throws {
        // Whoever stops this could not stop the one that it would wait for.
        guard count == 0 else { return }
        let work = inTurn { [accounts, tables, writes, queue] in
            _ = try await accounts.eraseLeftovers(tables: tables, by: writes, cancelJobs: queue.cancelJobs)
        }
        try await withTaskCancellationHandler {
            try await work.value
        } onCancel: {
            work.cancel()
        }
    }

    private func inTurn(_ body: @escaping @Sendable () async throws -> Void) -> Task<Void, any Error> {
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
