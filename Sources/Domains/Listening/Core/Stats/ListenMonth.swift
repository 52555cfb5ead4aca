import Model

/// A month in UTC, counted from January of the year 0.
struct ListenMonth: Hashable, Comparable, Sendable {
    let number: Int

    init(number: Int) {
        self.number = number
    }

    /// - Parameter microseconds: microseconds since 1970. Times before 1970 belong to its first month, and times after
    ///   9999 to that year's last month.
    init(containing microseconds: Int64) {
        let days = max(0, min(microseconds / 86_400_000_000, 2_932_896))
        guard let date = LocalDate(dayNumber: Int(days)) else {
            number = 1970 * 12
            return
        }
        number = date.year * 12 + date.month - 1
    }

    static func < (left: ListenMonth, right: ListenMonth) -> Bool { left.number < right.number }

    /// The range from the month's start to the start of the next one, in microseconds since 1970. The first and the
    /// last month include all earlier and later times.
    var moments: Range<Int64> {
        let start = Self.start(number) ?? 0
        let end = Self.start(number + 1) ?? .max
        return (number == 1970 * 12 ? .min : start)..<(number == 9999 * 12 + 11 ? .max : end)
    }

    private static func start(_ number: Int) -> Int64? {
        LocalDate(year: number / 12, month: number % 12 + 1, day: 1).map { Int64($0.dayNumber) * 86_400_000_000 }
    }
}
