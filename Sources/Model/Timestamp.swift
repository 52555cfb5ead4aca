import Foundation

/// A moment in wall-clock time: integer microseconds since 1970-01-01T00:00:00Z.
///
/// The database stores it and people read it. Durations, leases and permits use ``MonotonicInstant``, because a wall
/// clock can be set.
package struct Timestamp: Hashable, Comparable, Sendable {
    /// Microseconds since the Unix epoch, UTC.
    package var microseconds: Int64

    package init(microseconds: Int64) {
        self.microseconds = microseconds
    }

    /// The present by the system's wall clock.
    package static func now() -> Timestamp {
        var time = timespec()
        clock_gettime(CLOCK_REALTIME, &time)
        let offset = WallClockOffset.current?.microseconds ?? 0
        return Timestamp(microseconds: Int64(time.tv_sec) * 1_000_000 + Int64(time.tv_nsec) / 1_000 + offset)
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

extension Timestamp: Codable {
    package init(from decoder: any Decoder) throws {
        self.init(microseconds: try decoder.singleValueContainer().decode(Int64.self))
    }

    package func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(microseconds)
    }
}

extension Timestamp: CustomStringConvertible {
    /// RFC 3339 in UTC with microseconds, as the API writes it: `2026-11-20T22:15:42.000123Z`.
    /// RFC 3339 has no form for years before 1 and after 9999: they are written as its first and last moment.
    package var description: String {
        var (days, time) = microseconds.quotientAndRemainder(dividingBy: 86_400_000_000)
        if time < 0 {
            time += 86_400_000_000
            days -= 1
        }
        guard let date = LocalDate(dayNumber: Int(days)) else {
            return days < 0 ? "0001-01-01T00:00:00.000000Z" : "9999-12-31T23:59:59.999999Z"
        }
        let seconds = Int(time / 1_000_000)
        // Writes the digits in place, because joining strings showed in profiles: every response has several.
        return String(unsafeUninitializedCapacity: 27) { buffer in
            var position = 0
            func write(_ value: Int, width: Int, end: Unicode.Scalar) {
                var rest = value
                for digit in (position..<position + width).reversed() {
                    buffer[digit] = UInt8(ascii: "0") + UInt8(truncatingIfNeeded: rest % 10)
                    rest /= 10
                }
                buffer[position + width] = UInt8(ascii: end)
                position += width + 1
            }
            write(date.year, width: 4, end: "-")
            write(date.month, width: 2, end: "-")
            write(date.day, width: 2, end: "T")
            write(seconds / 3_600, width: 2, end: ":")
            write(seconds / 60 % 60, width: 2, end: ":")
            write(seconds % 60, width: 2, end: ".")
            write(Int(time % 1_000_000), width: 6, end: "Z")
            return position
        }
    }

    /// Reads RFC 3339 with any offset and up to nine decimals, rounded; `nil` for any other text. `T` and `Z` may be in
    /// lower case (section 5.6). Leap seconds are refused.
    package init?(rfc3339 given: String) {
        let text = given.replacing("t", with: "T").replacing("z", with: "Z")
        // Foundation's parser keeps fractions in a Double, which cannot hold microseconds.
        var whole = text
        var fraction: Int64 = 0
        if let point = text.firstIndex(of: ".") {
            let digits = text[text.index(after: point)...].prefix { $0.isASCII && $0.isWholeNumber }
            let padded = digits + String(repeating: "0", count: max(0, 9 - digits.count))
            guard !digits.isEmpty, digits.count <= 9, let nanoseconds = Int64(padded) else { return nil }
            fraction = (nanoseconds + 500) / 1_000
            whole.removeSubrange(point..<digits.endIndex)
        }
        // It also accepts hours, minutes, seconds and days that do not exist, and any text after the time.
        let offset = Array(whole.dropFirst(19).utf8)
        let isDifference =
            offset.count == 6 && [UInt8(ascii: "+"), UInt8(ascii: "-")].contains(offset[0])
            && offset[3] == UInt8(ascii: ":")
            && [1, 2, 4, 5].allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(offset[$0]) }
        guard offset == [UInt8(ascii: "Z")] || isDifference else { return nil }
        let numbers = whole.prefix(19).split { !$0.isASCII || !$0.isWholeNumber }.compactMap { Int($0) }
        guard numbers.count == 6, LocalDate(year: numbers[0], month: numbers[1], day: numbers[2]) != nil,
            numbers[3] < 24, numbers[4] < 60, numbers[5] < 60,
            let date = try? Date.ISO8601FormatStyle().parse(whole)
        else { return nil }
        self.init(microseconds: Int64(date.timeIntervalSince1970.rounded()) * 1_000_000 + fraction)
    }
}

extension Duration {
    /// Whole microseconds, rounded toward zero.
    package var microseconds: Int64 {
        // Not `components`, which divides twice.
        Int64(attoseconds / 1_000_000_000_000)
    }
}
