import Model

extension ReleaseDate {
    /// The days that the date may mean, as numbers since 1970-01-01.
    var days: ClosedRange<Int> {
        let numbers = text.split(separator: "-").compactMap { Int(decimal: $0, in: 0...9_999) }
        let year = numbers.first ?? 1
        let (first, last) = numbers.count > 1 ? (numbers[1], numbers[1]) : (1, 12)
        func day(_ month: Int, _ day: Int) -> Int? { LocalDate(year: year, month: month, day: day)?.dayNumber }
        if numbers.count > 2, let only = day(first, numbers[2]) { return only...only }
        // The initializer allows only dates that exist.
        let begin = day(first, 1) ?? 0
        let end = (28...31).compactMap { day(last, $0) }.last ?? begin
        return begin...max(begin, end)
    }

    /// The name of the precision in the API.
    package var precision: String {
        switch text.utf8.count {
        case 4: "year"
        case 7: "month"
        default: "day"
        }
    }
}

/// Which releases are news, and when they are out.
enum ReleaseNews {
    /// A release is news for this many days, also if Backline did not read its artist meanwhile.
    static let days = 30

    /// The day in UTC, as a number since 1970-01-01.
    static func day(of moment: Timestamp) -> Int {
        let (quotient, remainder) = moment.microseconds.quotientAndRemainder(dividingBy: 86_400_000_000)
        return Int(remainder < 0 ? quotient - 1 : quotient)
    }

    /// Whether a release that was not in any list before is news.
    ///
    /// The first reading of an artist makes news only of what came out within ``days``: then the whole period of an
    /// imprecise date has to be so recent. Later, what came out before the last reading is an old album that a service
    /// has added; there an imprecise date counts by its last day.
    ///
    /// - Parameter lastReading: when the artist's list was last read completely at the service; `nil` before the first
    ///   time.
    static func isNews(_ date: ReleaseDate?, lastReading: Timestamp?, now: Timestamp) -> Bool {
        guard let days = date?.days else { return false }
        guard let lastReading else { return days.lowerBound >= day(of: now) - self.days }
        return days.upperBound >= day(of: min(lastReading, now)) - self.days
    }

    /// When a release is out: at the beginning of its day in UTC, or of the first day that its date may mean.
    static func outMoment(_ date: ReleaseDate) -> Timestamp {
        // Years from 1 to 9999 fit.
        Timestamp(microseconds: Int64(date.days.lowerBound) * 86_400_000_000)
    }
}
