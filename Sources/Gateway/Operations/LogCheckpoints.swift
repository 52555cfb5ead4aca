import Storage
import Synchronization

/// Keeps the write-ahead log small by checkpoints.
///
/// The first sync of a large library writes some 40 MB of log in a second. So ``run()`` is called every ``interval``.
/// While a reader keeps a part of the log from being moved, such as a backup for as long as it reads, checkpoints only
/// cost syncs: the pause between them then doubles up to ``longestPause`` calls.
final class LogCheckpoints: Sendable {
    static let interval = Duration.milliseconds(120)
    /// The number of pages in the log at which they are moved into the database: 16 MiB. With fewer at a time, pages
    /// that change often are moved more often.
    static let checkpointPages = 4_096
    /// The size in bytes below which a log has fewer pages than that.
    private static let checkpointSize = Int64(checkpointPages) * 4_096
    /// A log that readers let grow beyond this is also truncated, in bytes.
    static let truncateSize: Int64 = 64 << 20
    /// The number of calls after which a smaller log is moved and truncated.
    private static let smallInterval = 250
    /// The most calls that are skipped after a checkpoint that a reader blocked: eight seconds.
    static let longestPause = 64

    private struct State {
        var calls = 0
        var checkedSize: Int64 = 0
        /// The calls still to skip, and the number that were skipped after the last blocked checkpoint.
        var left = 0
        var pause = 0
        /// Whether a checkpoint of all pages was due in a call that was skipped.
        var owesSmall = false
    }

    private let database: Database
    private let state = Mutex(State())

    init(database: Database) {
        self.database = database
    }

    /// - Returns: what the checkpoint did; `nil` when none was due, or when it was skipped.
    @discardableResult
    func run() async throws -> CheckpointOutcome? {
        let next = state.withLock { state -> (checkedSize: Int64, includesSmall: Bool)? in
            state.calls += 1
            state.owesSmall = state.owesSmall || state.calls.isMultiple(of: Self.smallInterval)
            guard state.left == 0 else {
                state.left -= 1
                return nil
            }
            defer { state.owesSmall = false }
            return (state.checkedSize, state.owesSmall)
        }
        guard let (checkedSize, includesSmall) = next else { return nil }
        let size = database.logSize
        // A small log of unchanged size was moved before, or a reader still needs it.
        guard size > Self.checkpointSize || (size > 0 && size != checkedSize && includesSmall) else { return nil }
        let truncates = size > Self.truncateSize || includesSmall
        let outcome = try await database.checkpoint(
            minimum: truncates ? 0 : Self.checkpointPages, truncates: truncates)
        let left = database.logSize
        state.withLock { state in
            state.checkedSize = left
            state.pause = outcome == .blocked ? min(max(1, state.pause * 2), Self.longestPause) : 0
            state.left = state.pause
        }
        return outcome
    }
}
