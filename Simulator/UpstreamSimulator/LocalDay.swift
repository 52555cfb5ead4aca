import Foundation

/// A calendar day without a time or a zone: days since 1970-01-01.
package struct LocalDay: Sendable, Hashable, Comparable, CustomStringConvertible {
    package var daysSince1970: Int32

    package init(daysSince1970: Int32) {
        self.daysSince1970 = daysSince1970
    }

    /// The day in UTC that contains the moment.
    package init(_ date: Date) {
        daysSince1970 = Int32((date.timeIntervalSince1970 / 86_400).rounded(.down))
    }

    /// Returns `nil` unless the text has the form `YYYY-MM-DD`.
    package init?(_ text: String) {
        guard text.utf8.count == 10, let date = try? Date(text, strategy: Self.style) else { return nil }
        self.init(date)
    }

    package static func + (day: LocalDay, days: Int) -> LocalDay {
        LocalDay(daysSince1970: day.daysSince1970 + Int32(days))
    }

    package static func < (left: LocalDay, right: LocalDay) -> Bool {
        left.daysSince1970 < right.daysSince1970
    }

    /// The day's midnight in UTC, in seconds since 1970.
    var secondsSince1970: Int64 { Int64(daysSince1970) * 86_400 }

    /// `YYYY-MM-DD`.
    package var description: String {
        Date(timeIntervalSince1970: Double(secondsSince1970)).formatted(Self.style)
    }

    private static let style = Date.ISO8601FormatStyle().year().month().day()
}
