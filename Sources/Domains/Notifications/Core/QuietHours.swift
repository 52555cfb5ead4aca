import Foundation
import Model

/// The hours of a person's day in which nothing is pushed, by the clock on the wall.
///
/// They begin at the first moment of a day at which the clock shows the start or later, and end at the first moment
/// after it at which it shows the end or later. So where a clock is set forward over the end, they end right after the
/// gap; where it is set back over it, at the first of the two moments, and they do not begin again.
package struct QuietHours: Sendable, Equatable {
    /// In minutes of the day.
    package let start: Int
    /// In minutes of the day, not the start. At or before the start, it is on the next day.
    package let end: Int

    package static let minutes = 0...(24 * 60 - 1)

    /// - Returns: `nil` unless both are minutes of a day that differ.
    package init?(start: Int, end: Int) {
        guard Self.minutes.contains(start), Self.minutes.contains(end), start != end else { return nil }
        (self.start, self.end) = (start, end)
    }

    /// When the quiet hours end that a moment is in; `nil` for a moment outside of them.
    ///
    /// - Parameter zone: the zone of the person's profile; `nil` or an unknown one counts as UTC.
    package func end(at now: Timestamp, zone: String?) -> Timestamp? {
        let clock = WallClock(zone: zone)
        let today = clock.local(now) / WallClock.day
        var quietUntil: Timestamp?
        // Those of yesterday may last until today. A clock that is set back over midnight has shown tomorrow. Where a
        // zone skips a whole day, its quiet hours follow those of the day before without a pause.
        for day in today - 2...today + 1 {
            let begin = clock.first(atOrAfter: day * WallClock.day + start * 60)
            let endDay = end > start ? day : day + 1
            let finish = clock.first(atOrAfter: endDay * WallClock.day + end * 60)
            let moment = quietUntil ?? now
            if begin <= moment, moment < finish { quietUntil = finish }
        }
        return quietUntil
    }
}

/// The clock on the wall of a time zone. Its times are seconds since the beginning of 1970 by that clock.
struct WallClock {
    static let day = 86_400

    private let zone: TimeZone

    init(zone: String?) {
        self.zone = zone.flatMap { TimeZone(identifier: $0) } ?? .gmt
    }

    /// What the clock shows.
    func local(_ moment: Timestamp) -> Int {
        let second = Int(moment.microseconds.quotient(rounding: 1_000_000))
        return second + offset(at: second)
    }

    /// `YYYY-MM-DD`.
    func day(_ moment: Timestamp) -> String {
        let days = local(moment).quotient(rounding: Self.day)
        let date = Timestamp(microseconds: Int64(days) * Int64(Self.day) * 1_000_000)
        return String(date.description.prefix(10))
    }

    /// The first moment at which the clock shows a time or a later one.
    func first(atOrAfter local: Int) -> Timestamp {
        // No clock is further from UTC than 16 hours.
        let (from, to) = (local - 16 * 3_600, local + 16 * 3_600)
        var begin = from
        while begin < to {
            let next = begin + 3_600
            let (before, after) = (offset(at: begin), offset(at: next))
            if before == after {
                if next + after > local { return Self.moment(max(begin, local - before)) }
            } else {
                let change = transition(after: begin, to: next, from: before)
                // Before the change, then right after it, then later.
                if change + before > local { return Self.moment(max(begin, local - before)) }
                if change + after >= local { return Self.moment(change) }
                if next + after > local { return Self.moment(local - after) }
            }
            begin = next
        }
        return Self.moment(to)
    }

    /// The first second with another offset than that of `begin`, at most `end`.
    private func transition(after begin: Int, to end: Int, from offset: Int) -> Int {
        var (low, high) = (begin, end)
        while high - low > 1 {
            let middle = low + (high - low) / 2
            if self.offset(at: middle) == offset { low = middle } else { high = middle }
        }
        return high
    }

    private func offset(at second: Int) -> Int {
        zone.secondsFromGMT(for: Date(timeIntervalSince1970: Double(second)))
    }

    private static func moment(_ second: Int) -> Timestamp {
        Timestamp(microseconds: Int64(second) * 1_000_000)
    }
}

extension BinaryInteger {
    /// The quotient, rounded down, also of negative numbers.
    fileprivate func quotient(rounding divisor: Self) -> Self {
        let (quotient, remainder) = quotientAndRemainder(dividingBy: divisor)
        return remainder < 0 ? quotient - 1 : quotient
    }
}
