import Platform

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

    /// The current time of the system's wall clock.
    package static func now() -> Timestamp {
        Timestamp(microseconds: SystemClock.wall)
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
    /// RFC 3339 cannot express years before 1 and after 9999: they are written as its first and last moment.
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
        // Writes the digits in place, because joining strings was visible in profiles: every response has several
        // times.
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
    package init?(rfc3339 text: String) {
        // Foundation's parser takes ten times as long, stores fractions in a Double, which cannot represent
        // microseconds, and accepts hours and days that do not exist. Files have a million times, and hostile files may
        // have nothing else.
        var text = text
        guard let microseconds = text.withUTF8({ RFC3339Time($0)?.microseconds }) else { return nil }
        self.init(microseconds: microseconds)
    }
}

/// A time as RFC 3339 writes it.
private struct RFC3339Time {
    private(set) var microseconds: Int64

    private static let longest = 35

    init?(_ bytes: UnsafeBufferPointer<UInt8>) {
        func number(_ range: Range<Int>) -> Int? {
            var value = 0
            for byte in bytes[range] {
                guard (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) else { return nil }
                value = value * 10 + Int(byte - UInt8(ascii: "0"))
            }
            return value
        }
        func has(_ mark: Unicode.Scalar, at place: Int) -> Bool { bytes[place] == UInt8(ascii: mark) }
        guard (20...Self.longest).contains(bytes.count), has("-", at: 4), has("-", at: 7),
            has("T", at: 10) || has("t", at: 10), has(":", at: 13), has(":", at: 16),
            let year = number(0..<4), let month = number(5..<7), let day = number(8..<10),
            let date = LocalDate(year: year, month: month, day: day),
            let hour = number(11..<13), hour < 24, let minute = number(14..<16), minute < 60,
            let second = number(17..<19), second < 60
        else { return nil }
        var place = 19
        var fraction = 0
        if has(".", at: place) {
            let end = bytes[(place + 1)...].firstIndex { !(UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
            guard let end, (1...9).contains(end - place - 1), var nanoseconds = number(place + 1..<end) else {
                return nil
            }
            for _ in end - place - 1..<9 { nanoseconds *= 10 }
            fraction = (nanoseconds + 500) / 1_000
            place = end
        }
        var offset = 0
        if !(has("Z", at: place) || has("z", at: place)) {
            guard bytes.count == place + 6, has("+", at: place) || has("-", at: place), has(":", at: place + 3),
                let hours = number(place + 1..<place + 3), hours < 24, let minutes = number(place + 4..<place + 6),
                minutes < 60
            else { return nil }
            offset = (hours * 60 + minutes) * (has("-", at: place) ? -60 : 60)
        } else if bytes.count != place + 1 {
            return nil
        }
        // All of these numbers have a fixed number of digits, so nothing overflows.
        let seconds = date.dayNumber * 86_400 + hour * 3_600 + minute * 60 + second - offset
        microseconds = Int64(seconds) * 1_000_000 + Int64(fraction)
    }
}

extension Duration {
    /// Whole microseconds, rounded toward zero.
    package var microseconds: Int64 {
        // `components` would divide twice.
        Int64(attoseconds / 1_000_000_000_000)
    }
}
