import Storage
import Synchronization

/// Keeps the write-ahead log small by checkpoints.
///
/// The first sync of a large library writes some 40 MB of log in a second. So ``run()`` is called every ``interval``.
final class LogCheckpoints: Sendable {
    static let interval = Duration.milliseconds(120)
    /// So many pages are moved into the database: 16 MiB. With fewer at a time, pages that change often are moved more
    /// often.
    static let checkpointPages = 4_096
    /// A smaller log has fewer pages, in bytes.
    private static let checkpointSize = Int64(checkpointPages) * 4_096
    /// A log that readers let grow beyond this is also truncated, in bytes.
    static let truncateSize: Int64 = 64 << 20
    /// The number of calls after which a smaller log is moved and truncated.
    private static let smallInterval = 250

    private let database: Database
    private let state = Mutex((calls: 0, checkedSize: Int64(0)))

    init(database: Database) {
        self.database = database
    }

    func run() async throws {
        let (call, checkedSize) = state.withLock { state in
            state.calls += 1
            return state
        }
        let includesSmall = call.isMultiple(of: Self.smallInterval)
        let size = database.logSize
        // A small log of unchanged size was moved before, or a reader still needs it.
        guard size > Self.checkpointSize || (size > 0 && size != checkedSize && includesSmall) else { return }
        let truncates = size > Self.truncateSize || includesSmall
        try await database.checkpoint(minimum: truncates ? 0 : Self.checkpointPages, truncates: truncates)
        let left = database.logSize
        state.withLock { $0.checkedSize = left }
    }
}
