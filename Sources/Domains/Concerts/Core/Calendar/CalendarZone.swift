import Foundation
import Model

/// A time zone of a calendar (RFC 5545, section 3.6.5): its offsets from UTC, from the year of its first show on.
///
/// Each change of the clocks is written with its date instead of a rule for all years: zones such as Africa/Casablanca
/// have no such rule, and others change theirs. The dates are those of Foundation's time zones.
struct CalendarZone {
    /// A date and a time on the zone's clocks.
    struct LocalMoment: Hashable {
        var date: LocalDate
        var time: LocalTime

        /// `YYYYMMDDTHHMMSS`.
        var basicFormat: String {
            date.description.filter { $0 != "-" } + "T" + time.description.filter { $0 != ":" }
        }

        /// - Parameter seconds: since 1970-01-01 on the zone's clocks.
        fileprivate init?(_ seconds: Int) {
            let day = CalendarZone.day(of: seconds)
            guard let date = LocalDate(dayNumber: day),
                let time = LocalTime(secondOfDay: seconds - day * CalendarZone.secondsOfDay)
            else { return nil }
            (self.date, self.time) = (date, time)
        }
    }

    /// A change of the clocks, in seconds: when, and the offsets from UTC before and after it.
    private struct Onset {
        var at: Int
        var from: Int
        var to: Int
    }

    /// The years that a zone covers at most. Shows are announced a year or two ahead; a later one has its time in UTC.
    private static let longestSpan = 5
    /// Zones have at most two changes a year, and a few that countries have decreed.
    private static let mostOnsets = 40

    /// The name in the IANA database, such as `Europe/Prague`.
    let name: String
    /// In seconds since 1970.
    private let coverage: Range<Int>
    private let firstOffset: Int
    private let onsets: [Onset]

    /// - Parameters:
    ///   - name: in the IANA database.
    ///   - moments: the starts and ends of the shows in the zone.
    /// - Returns: `nil` for a zone that is not known, and without a moment.
    init?(_ name: String, for moments: some Sequence<Timestamp>) {
        guard Self.isPlain(name), let zone = TimeZone(identifier: name),
            let coverage = Self.coverage(of: moments.map(Self.seconds))
        else { return nil }
        func offset(at seconds: Int) -> Int {
            zone.secondsFromGMT(for: Date(timeIntervalSince1970: Double(seconds)))
        }
        var at = coverage.lowerBound
        firstOffset = offset(at: at)
        var onsets: [Onset] = []
        while onsets.count < Self.mostOnsets,
            let next = zone.nextDaylightSavingTimeTransition(after: Date(timeIntervalSince1970: Double(at))),
            next.timeIntervalSince1970 > Double(at), next.timeIntervalSince1970 < Double(coverage.upperBound)
        {
            at = Int(next.timeIntervalSince1970)
            let (former, later) = (onsets.last?.to ?? firstOffset, offset(at: at))
            // Only the name of the zone's time changes.
            guard former != later else { continue }
            onsets.append(Onset(at: at, from: former, to: later))
        }
        self.name = name
        self.coverage = onsets.count < Self.mostOnsets ? coverage : coverage.lowerBound..<at
        self.onsets = onsets
    }

    /// The date and time on the zone's clocks.
    ///
    /// - Returns: `nil` for a moment that the zone does not cover, and for one in an hour that a change of the clocks has
    ///   repeated: by section 3.3.5 such a time stands for the first of both.
    func local(_ moment: Timestamp) -> LocalMoment? {
        let seconds = Self.seconds(moment)
        guard coverage.contains(seconds) else { return nil }
        let last = onsets.last { $0.at <= seconds }
        if let last, seconds < last.at + last.from - last.to { return nil }
        return LocalMoment(seconds + (last?.to ?? firstOffset))
    }

    /// Writes the component `VTIMEZONE`.
    func write(to writer: inout CalendarWriter) {
        writer.begin("VTIMEZONE")
        writer.property("TZID", name)
        let isFirstLarger = onsets.first.map { $0.from > $0.to } ?? false
        write(
            Onset(at: coverage.lowerBound, from: firstOffset, to: firstOffset), isDaylight: isFirstLarger, to: &writer)
        for onset in onsets { write(onset, isDaylight: onset.to > onset.from, to: &writer) }
        writer.end("VTIMEZONE")
    }

    /// - Parameter isDaylight: whether the offset is the larger one. The two words mean nothing else.
    private func write(_ onset: Onset, isDaylight: Bool, to writer: inout CalendarWriter) {
        guard let local = LocalMoment(onset.at + onset.from) else { return }
        let component = isDaylight ? "DAYLIGHT" : "STANDARD"
        writer.begin(component)
        writer.property("DTSTART", local.basicFormat)
        writer.property("TZOFFSETFROM", Self.text(ofOffset: onset.from))
        writer.property("TZOFFSETTO", Self.text(ofOffset: onset.to))
        writer.property("TZNAME", Self.text(ofOffset: onset.to))
        writer.end(component)
    }

    /// `+0545`, or `-001530` for an offset with seconds (section 3.3.14).
    private static func text(ofOffset offset: Int) -> String {
        let size = Int(offset.magnitude)
        let parts = [size / 3_600, size / 60 % 60] + (size % 60 == 0 ? [] : [size % 60])
        return (offset < 0 ? "-" : "+") + parts.map { $0 < 10 ? "0\($0)" : "\($0)" }.joined()
    }

    /// The whole years of the moments, with a day before and after them, since years begin at different moments.
    private static func coverage(of moments: [Int]) -> Range<Int>? {
        guard let first = moments.min(), let last = moments.max(),
            let firstYear = LocalDate(dayNumber: day(of: first))?.year,
            let lastYear = LocalDate(dayNumber: day(of: last))?.year,
            let begin = LocalDate(year: firstYear, month: 1, day: 1),
            let end = LocalDate(year: min(lastYear, firstYear + longestSpan - 1), month: 12, day: 31)
        else { return nil }
        return (begin.dayNumber - 1) * secondsOfDay..<(end.dayNumber + 2) * secondsOfDay
    }

    /// Whether the name needs no quotes as the value of a parameter (section 3.2).
    private static func isPlain(_ name: String) -> Bool {
        (1...64).contains(name.utf8.count)
            && name.unicodeScalars.allSatisfy { scalar in
                scalar.isASCII && (scalar.properties.isAlphabetic || "0123456789/_+-".unicodeScalars.contains(scalar))
            }
    }

    private static let secondsOfDay = 86_400

    /// Whole seconds since 1970, rounded down.
    private static func seconds(_ moment: Timestamp) -> Int {
        Int(quotient(moment.microseconds, 1_000_000))
    }

    /// Whole days since 1970, rounded down.
    private static func day(of seconds: Int) -> Int { quotient(seconds, secondsOfDay) }

    private static func quotient<Number: BinaryInteger>(_ number: Number, _ divisor: Number) -> Number {
        let (quotient, remainder) = number.quotientAndRemainder(dividingBy: divisor)
        return remainder < 0 ? quotient - 1 : quotient
    }
}
