import LibraryWriting
import Model

/// The record of a list's scans.
struct ScanRecord: Sendable, Equatable {
    /// What the last scan saw; `nil` if the list has to be read whole.
    var last: LastScan?
    /// The number of entries that the last whole scan counted but could not read; `nil` before the first one.
    var unread: Int?
    var wholeAt: Timestamp?

    /// Whether the list has not been read whole for longer than allowed. A time in the future is treated as too long
    /// ago: the clock was ahead when it was stored.
    func isWholeDue(of source: MusicSource, now: Timestamp) -> Bool {
        guard let wholeAt else { return true }
        return !(.zero..<source.wholeInterval).contains(wholeAt.duration(to: now))
    }
}
