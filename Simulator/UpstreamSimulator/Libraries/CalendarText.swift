/// Moments in the form that JSON uses. Foundation's formatters take longer than everything else about a track.
enum CalendarText {
    /// `2026-11-01T12:00:00Z`.
    static func moment(_ seconds: UInt32) -> String {
        let (year, month, day) = date(daysSince1970: Int(seconds / 86_400))
        let rest = seconds % 86_400
        let numbers = [UInt32(month), UInt32(day), rest / 3_600, rest / 60 % 60, rest % 60]
        let parts = numbers.map { $0 < 10 ? "0\($0)" : "\($0)" }
        return "\(year)-\(parts[0])-\(parts[1])T\(parts[2]):\(parts[3]):\(parts[4])Z"
    }

    /// `2026-11-01T12:00:00.497Z`.
    static func moment(milliseconds: Int64) -> String {
        let rest = String(milliseconds % 1_000)
        let thousandths = String(repeating: "0", count: 3 - rest.count) + rest
        return "\(moment(UInt32(milliseconds / 1_000)).dropLast()).\(thousandths)Z"
    }

    /// The civil date of a day number (Howard Hinnant, chrono-Compatible Low-Level Date Algorithms).
    private static func date(daysSince1970 days: Int) -> (year: Int, month: Int, day: Int) {
        let shifted = days + 719_468
        let era = shifted / 146_097
        let dayOfEra = shifted % 146_097
        let yearOfEra = (dayOfEra - dayOfEra / 1_460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let shiftedMonth = (5 * dayOfYear + 2) / 153
        let day = dayOfYear - (153 * shiftedMonth + 2) / 5 + 1
        let month = shiftedMonth < 10 ? shiftedMonth + 3 : shiftedMonth - 9
        return (yearOfEra + era * 400 + (month <= 2 ? 1 : 0), month, day)
    }
}
