import Foundation

/// An offset that a test adds to the wall clock: ``TestSwitch/clockOffsetFile`` names a file with microseconds, which
/// is read at each call.
///
/// It changes only ``SystemClock/wall``. Durations, leases and permits use the monotonic clock.
struct WallClockOffset: Sendable {
    /// `nil` unless the environment names a file that can be opened.
    static let current = TestSwitch.clockOffsetFile.value.flatMap(WallClockOffset.init(path:))

    private let descriptor: Int32

    init?(path: String) {
        descriptor = open(path, O_RDONLY | O_CLOEXEC)
        if descriptor < 0 { return nil }
    }

    /// The offset in microseconds; 0 when the file does not contain a number, or one of more than a century.
    var microseconds: Int64 {
        var buffer = [UInt8](repeating: 0, count: 32)
        let count = pread(descriptor, &buffer, buffer.count, 0)
        guard count > 0 else { return 0 }
        let text = String(decoding: buffer[..<count], as: UTF8.self).trimmingCharacters(in: .whitespacesAndNewlines)
        // A century in both directions.
        let range: ClosedRange<Int64> = -3_155_760_000_000_000...3_155_760_000_000_000
        // bounded: the readers are in Model, above this module
        guard let offset = Int64(text), range.contains(offset) else { return 0 }
        return offset
    }
}
