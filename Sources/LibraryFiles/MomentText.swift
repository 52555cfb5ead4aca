import Model

/// A moment as files of tables write it: `2024-04-01T08:00:00Z`, `2024-04-01 08:00`, `1 Apr 2024, 08:00`, or a number
/// of seconds or milliseconds since 1970. A moment without a zone is in UTC.
struct MomentText {
    let moment: Timestamp
    let precision: FileListen.Precision

    private static let months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]
    /// In bytes.
    private static let longest = 64
    /// Larger numbers are milliseconds: as seconds, they are after the year 5000.
    private static let mostSeconds = 99_999_999_999

    private init?(_ moment: Timestamp?, _ precision: FileListen.Precision) {
        guard let moment = FileValues.moment(moment) else { return nil }
        (self.moment, self.precision) = (moment, precision)
    }

    /// - Returns: `nil` for any other text, and for a day without a time.
    init?(_ text: String) {
        guard text.utf8.count <= Self.longest else { return nil }
        if let number = Self(number: text) ?? Self(written: text) ?? Self(month: text) { self = number } else { return nil }
    }

    /// A number of seconds or milliseconds, with or without a fraction.
    private init?(number text: String) {
        guard let number = Double(decimal: text, in: 0...1e15) else { return nil }
        if number <= Double(Self.mostSeconds) {
            self.init(Timestamp(seconds: Int64(number)), .second)
        } else {
            // Programs also write whole seconds so.
            let isWhole = number.truncatingRemainder(dividingBy: 1_000) == 0
            self.init(Timestamp(milliseconds: Int64(number)), isWhole ? .second : .millisecond)
        }
    }

    /// `2024-04-01T08:00:00.5+02:00`, also with a blank for `T`, without seconds, and without a zone.
    private init?(written text: String) {
        let bytes = Array(text.utf8)
        guard bytes.count >= 16, bytes[10] == UInt8(ascii: "T") || bytes[10] == UInt8(ascii: " ") else { return nil }
        var rest = String(text.dropFirst(11))
        let hasSeconds = bytes.count > 16 && bytes[16] == UInt8(ascii: ":")
        if !hasSeconds { rest = rest.prefix(5) + ":00" + rest.dropFirst(5) }
        if rest.hasSuffix(" UTC") { rest = rest.dropLast(4) + "Z" }
        let hasZone = rest.hasSuffix("Z") || rest.dropFirst(8).contains { $0 == "+" || $0 == "-" }
        let isExact = rest.contains(".")
        self.init(
            Timestamp(rfc3339: "\(text.prefix(10))T\(rest)\(hasZone ? "" : "Z")"),
            hasSeconds ? isExact ? .millisecond : .second : .minute)
    }

    /// `31 Dec 2025, 21:38`, as Last.fm writes it.
    private init?(month text: String) {
        let words = text.replacing(",", with: " ").split(separator: " ")
        guard words.count == 4, let day = Int(decimal: words[0], in: 1...31),
            let month = Self.months.firstIndex(of: String(words[1])),
            let year = Int(decimal: words[2], in: FileValues.years), words[3].utf8.count == 5
        else { return nil }
        func two(_ number: Int) -> String { (number < 10 ? "0" : "") + String(number) }
        self.init(Timestamp(rfc3339: "\(year)-\(two(month + 1))-\(two(day))T\(words[3]):00Z"), .minute)
    }
}
