import Foundation
import Model

/// The range of time that stats cover: from one local day to another, in a time zone.
package struct StatsRange: Sendable, Hashable {
    /// The named ranges: the current week (from Monday), month or year so far, or everything.
    package enum Period: String, Sendable, CaseIterable {
        case week, month, year, all
    }

    /// The range from its start to its end, exclusive, in seconds since 1970; `nil` for everything.
    package let seconds: Range<Int64>?
    package let zone: TimeZone

    package init(_ period: Period, in zone: TimeZone, at now: Timestamp) {
        self.zone = zone
        var calendar = Calendar(identifier: .iso8601)
        calendar.timeZone = zone
        let date = Date(timeIntervalSince1970: Double(now.microseconds / 1_000_000))
        let component: Calendar.Component? =
            switch period {
            case .week: .weekOfYear
            case .month: .month
            case .year: .year
            case .all: nil
            }
        seconds = component.flatMap { calendar.dateInterval(of: $0, for: date) }.map {
            Range(from: Int64($0.start.timeIntervalSince1970), upTo: Int64($0.end.timeIntervalSince1970))
        }
    }

    package init(seconds: Range<Int64>, zone: TimeZone) {
        (self.seconds, self.zone) = (seconds, zone)
    }

    /// The part of the range within another one; empty if they do not overlap.
    func clamped(to time: Range<Int64>) -> StatsRange {
        StatsRange(seconds: seconds?.clamped(to: time) ?? time, zone: zone)
    }

    /// - Returns: `nil` unless the end is after the start.
    package init?(from start: Timestamp, to end: Timestamp, in zone: TimeZone) {
        guard start < end else { return nil }
        self.zone = zone
        seconds = (start.microseconds / 1_000_000)..<((end.microseconds + 999_999) / 1_000_000)
    }

    /// The start of a local day.
    package static func start(of day: LocalDate, in zone: TimeZone) -> Timestamp? {
        var calendar = Calendar(identifier: .iso8601)
        calendar.timeZone = zone
        let components = DateComponents(year: day.year, month: day.month, day: day.day)
        return calendar.date(from: components).map {
            // A day starts an hour later if clocks go forward at midnight.
            Timestamp(microseconds: Int64(calendar.startOfDay(for: $0).timeIntervalSince1970) * 1_000_000)
        }
    }
}
