import Model
import Storage

/// Removes copies of deleted rows from the database's file and log when that is due (``CleaningState``).
struct DatabaseCleaning: Sendable {
    /// The time between two runs. It is also how soon after an erasure the log is truncated, once for all people
    /// erased in that time.
    static let interval = Duration.seconds(5)
    /// The pause after a step, in multiples of the step's time, so that other writers have four fifths of the time.
    /// Nobody waits for the cleaning of the file.
    private static let pause = 4
    /// The longest pause, so that a disk that was slow once does not delay the next step much.
    private static let longestPause = Duration.seconds(1)

    let database: Database
    /// A file of this many pages or more is not cleaned.
    var maximumPages = CleaningState.maximumPages
    /// Called in each run that leaves the file out because it is too large, with its size in pages.
    var onTooLarge: @Sendable (Int64) -> Void = { _ in }

    /// Ends when nothing is due, or when a reader or another program prevents a step; the next run then continues.
    ///
    /// - Throws: ``StorageError``, or `CancellationError` between two steps.
    func run() async throws {
        let (state, pages) = try await database.read { (try $0.cleaningState(), try $0.pageCount()) }
        // The log comes first, so that the erasure of people does not wait for the file.
        if state.logDueSince != nil { _ = try await database.truncateLog() }
        guard pages < maximumPages else { return onTooLarge(pages) }
        guard let page = state.nextPage, try await cleanFile(from: page) else { return }
        // Cleaning the last page marks the log for truncation, which need not wait for the next run.
        _ = try await database.truncateLog()
    }

    /// - Returns: whether the end of the file was reached.
    private func cleanFile(from first: Int64) async throws -> Bool {
        var page = first
        while let step = try await database.cleanPages(from: page) {
            guard let next = step.next else { return true }
            page = next
            try await Task.sleep(for: min(step.held * Self.pause, Self.longestPause))
        }
        return false
    }
}
