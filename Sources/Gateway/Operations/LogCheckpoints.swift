import Storage
import Synchronization

/// Keeps the write-ahead log small; asked once a second.
final class LogCheckpoints: Sendable {
    /// The log is moved into the database when it is larger than this.
    static let checkpointSize: Int64 = 4 << 20
    /// …and cut off at the end when it could not be for so long that it grew to this.
    static let truncateSize: Int64 = 64 << 20
    /// Every so many times what is small is moved, too.
    private static let smallInterval = 30

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
        let isSmallsTime = call.isMultiple(of: Self.smallInterval)
        let size = database.logSize
        // A log that stays the same size was moved already, or a reader still needs it.
        guard size > Self.checkpointSize || (size > 0 && size != checkedSize && isSmallsTime) else { return }
        try await database.checkpoint(truncates: size > Self.truncateSize || isSmallsTime)
        let left = database.logSize
        state.withLock { $0.checkedSize = left }
    }
}
