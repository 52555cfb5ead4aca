import Foundation

/// A moment in wall-clock time: integer microseconds since 1970-01-01T00:00:00Z.
///
/// It is what the database stores and what people read. Durations, leases and
/// permits are measured with ``MonotonicInstant``, because a wall clock can be set.
package struct Timestamp: Hashable, Comparable, Sendable {
    /// Microseconds since the Unix epoch, UTC.
    package var microseconds: Int64

    package init(microseconds: Int64) {
        self.microseconds = microseconds
    }

    /// The present moment by the system's wall clock.
    package static func now() -> Timestamp {
        var time = timespec()
        clock_gettime(CLOCK_REALTIME, &time)
        return Timestamp(microseconds: Int64(time.tv_sec) * 1_000_000 + Int64(time.tv_nsec) / 1_000)
    }

    package static func < (left: Timestamp, right: Timestamp) -> Bool {
        left.microseconds < right.microseconds
    }

    package func advanced(by duration: Duration) -> Timestamp {
        Timestamp(microseconds: microseconds + duration.microseconds)
    }

    package func duration(to other: Timestamp) -> Duration {
        .microseconds(other.microseconds - microseconds)
    }
}

extension Timestamp: CustomStringConvertible {
    /// RFC 3339 in UTC with microseconds, as the API writes it: `2026-11-20T22:15:42.000123Z`.
    package var description: String {
        var seconds = time_t(microseconds / 1_000_000)
        var fraction = microseconds % 1_000_000
        if fraction < 0 {
            fraction += 1_000_000
            seconds -= 1
        }
        var parts = tm()
        gmtime_r(&seconds, &parts)
        func padded(_ value: some BinaryInteger, _ width: Int) -> String {
            let digits = String(value)
            return String(repeating: "0", count: max(0, width - digits.count)) + digits
        }
        return "\(padded(Int(parts.tm_year) + 1900, 4))-\(padded(parts.tm_mon + 1, 2))-\(padded(parts.tm_mday, 2))"
            + "T\(padded(parts.tm_hour, 2)):\(padded(parts.tm_min, 2)):\(padded(parts.tm_sec, 2))"
            + ".\(padded(fraction, 6))Z"
    }

    /// Reads RFC 3339 with any offset and up to nine decimals; `nil` when the text is not one.
    package init?(rfc3339 text: String) {
        let style = Date.ISO8601FormatStyle(includingFractionalSeconds: text.contains("."))
        guard let date = try? style.parse(text) else { return nil }
        self.init(microseconds: Int64((date.timeIntervalSince1970 * 1_000_000).rounded()))
    }
}

extension Duration {
    /// Whole microseconds, rounded toward zero.
    package var microseconds: Int64 {
        components.seconds * 1_000_000 + components.attoseconds / 1_000_000_000_000
    }
}
