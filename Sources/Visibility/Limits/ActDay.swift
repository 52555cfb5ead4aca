import Foundation
import Model

/// The day of an act, in the time zone of the person who acts.
package struct ActDay: Sendable, Equatable {
    /// `YYYY-MM-DD`.
    package let day: String
    /// A name of the IANA database.
    package let zone: String

    /// - Parameter zone: the zone of the person's profile; `nil` or an unknown one counts as UTC.
    package init(_ now: Timestamp, zone: String?) {
        let known = zone.flatMap { TimeZone(identifier: $0) }
        self.zone = known == nil ? "UTC" : zone ?? "UTC"
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = known ?? .gmt
        let date = Date(timeIntervalSince1970: Double(now.microseconds) / 1_000_000)
        let parts = calendar.dateComponents([.year, .month, .day], from: date)
        let local = LocalDate(year: parts.year ?? 1, month: parts.month ?? 1, day: parts.day ?? 1)
        day = local.map(String.init(describing:)) ?? "0001-01-01"
    }
}
