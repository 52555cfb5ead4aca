import Model

/// A point in time as tables write it: `2024-04-01T08:00:00Z`, `2024-04-01 08:00`, `1 Apr 2024, 08:00`, `01.04.2024
/// 08:00`, or a number of seconds or milliseconds since 1970. A time without a zone is in UTC.
struct TimestampText {
    let moment: Timestamp
    let precision: FileListen.Precision

    private static let months = [
        "january", "february", "march", "april", "may", "june", "july", "august", "september", "october", "november",
        "december",
    ]
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
        guard let moment = Self(number: text) ?? Self(written: text) ?? Self(words: text) else { return nil }
        self = moment
    }

    /// A number of seconds or milliseconds, with or without a fraction.
    private init?(number text: String) {
        guard let number = Double(decimal: text, in: 0...1e15) else { return nil }
        if number <= Double(Self.mostSeconds) {
            self.init(Timestamp(seconds: Int64(number)), .second)
        } else {
            // Programs write whole seconds this way, too.
            let isWhole = number.truncatingRemainder(dividingBy: 1_000) == 0
            self.init(Timestamp(milliseconds: Int64(number)), isWhole ? .second : .millisecond)
        }
    }

    /// `2024-04-01T08:00:00.5+02:00`, also with a space instead of `T`, without seconds, and without a zone; the zone also
    /// as `+0200`, `+02`, or after a space; and `20240401T080000Z`.
    private init?(written original: String) {
        let text = Self.extended(original)
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

    /// A time of ISO 8601 with all hyphens and colons, and with its zone in the form `+02:00`.
    private static func extended(_ text: String) -> String {
        var text = text
        let digits = text.utf8.prefix { (0x30...0x39).contains($0) }.count
        if digits == 8, text.utf8.count >= 13, text.utf8.dropFirst(8).first == UInt8(ascii: "T") {
            // The offsets are those of ASCII characters.
            let parts = [(0, 4, "-"), (4, 2, "-"), (6, 2, "T"), (9, 2, ":"), (11, 2, "")]
            let beginning = parts.map { String(text.dropFirst($0.0).prefix($0.1)) + $0.2 }.joined()
            let rest = text.dropFirst(13)
            text = beginning + (rest.first.map(isDigit) == true ? ":" : "") + rest
        }
        // The day has hyphens, too.
        guard text.utf8.count > 16, let sign = text.dropFirst(11).lastIndex(where: { $0 == "+" || $0 == "-" }) else {
            return text
        }
        let zone = text[text.index(after: sign)...].split(separator: ":").joined()
        guard zone.utf8.count == 2 || zone.utf8.count == 4, zone.allSatisfy(isDigit) else { return text }
        let time = String(text[..<sign])
        return (time.trimmed ?? time) + "\(text[sign])\(zone.prefix(2)):\(zone.utf8.count == 4 ? zone.suffix(2) : "00")"
    }

    /// Whether a text is a day without a time.
    static func isDay(_ text: String) -> Bool {
        Self(text) == nil && !text.contains(":") && (Self("\(text) 08:00") != nil || isAmbiguous("\(text) 08:00"))
    }

    /// Whether a text is a time of day. The length of a song may look like one (`3:45`).
    static func isTime(_ text: String) -> Bool { time(text.lowercased().filter { !$0.isWhitespace }) != nil }

    /// Whether a time of day can hardly be the length of a song: `08:00`, `20:15`, `8:00 PM`, but not `3:45`.
    static func isCertainlyTime(_ text: String) -> Bool {
        isTime(text) && (text.lowercased().hasSuffix("m") || text.prefix { $0 != ":" }.utf8.count == 2)
    }

    /// Whether a text has a time, and it is midnight: programs write days that way.
    static func isMidnight(_ text: String) -> Bool {
        guard let moment = Self(text)?.moment, text.contains(":") else { return false }
        return ["T00:00", " 00:00"].contains { text.uppercased().contains($0) }
            && moment.microseconds % 60_000_000 == 0
    }

    /// A day and a time after it: `31 Dec 2025, 21:38`, as Last.fm writes it, `April 1, 2024 at 08:00AM`,
    /// `01.04.2024 08:00:30`, `2024/04/01 08:00`.
    private init?(words text: String) {
        let words = text.lowercased().split { $0 == "," || $0.isWhitespace }.filter { $0 != "at" && $0 != "utc" }
        guard let first = words.first else { return nil }
        let dayCount = Self.isNumeric(first) ? 1 : 3
        guard words.count > dayCount, words.count <= dayCount + 2,
            let day = dayCount == 1 ? Self.day(first) : Self.day(words[0], words[1], words[2]),
            let time = Self.time(words[dayCount...].joined())
        else { return nil }
        self.init(Timestamp(rfc3339: "\(day)T\(time.text)Z"), time.hasSeconds ? .second : .minute)
    }

    /// Whether a text is a date and a time, where it is unclear which number is the month: `04/01/2024 08:00`.
    static func isAmbiguous(_ text: String) -> Bool {
        guard text.utf8.count <= longest, text.contains(":") else { return false }
        let day = text.prefix { $0 != "," && !$0.isWhitespace }
        let parts = day.split(separator: "/", omittingEmptySubsequences: false)
        guard parts.count == 3, parts[0].utf8.count <= 2 else { return false }
        return parts.allSatisfy { Int(decimal: $0, in: 0...9_999) != nil }
    }

    /// Whether a text has a year and, in another word, a time of day, but cannot be read: `1 avr. 2024 à 08:00`. A date
    /// alone (`31.12.2015`) does not count.
    static func isUnreadable(_ text: String) -> Bool {
        guard text.utf8.count <= longest, Self(text) == nil else { return false }
        if isISO(text) { return true }
        let words = text.split { $0 == "," || $0.isWhitespace }
        let hasYear = words.contains { word in
            !isTimeOfDay(word)
                && word.split { !isDigit($0) }.contains {
                    $0.utf8.count == 4 && Int(decimal: $0, in: 2_002...2_100) != nil
                }
        }
        return hasYear && words.contains(where: isTimeOfDay)
    }

    /// Whether a text begins like a date and a time of ISO 8601: `2024-04-01T`, `20240401T`.
    private static func isISO(_ text: String) -> Bool {
        let parts = text.split(separator: "T", maxSplits: 1)
        guard parts.count == 2, parts[1].first.map(isDigit) == true else { return false }
        let day = parts[0].filter { $0 != "-" }
        return day.utf8.count == 8 && Int(decimal: day.prefix(4), in: 2_002...2_100) != nil && day.allSatisfy(isDigit)
    }

    /// Whether a word is a time of day, in any country's form: `8:00`, `08.00`, `08h00`, `08:00:30.5`, `8:00PM`,
    /// `下午8:00`.
    private static func isTimeOfDay(_ word: Substring) -> Bool {
        let numbers = word.drop { !$0.isASCII }.prefix { isDigit($0) || ":.h".contains($0) }
        let parts = numbers.split(omittingEmptySubsequences: false) { ":.h".contains($0) }
        // The last of four is a fraction of a second.
        guard (2...4).contains(parts.count) else { return false }
        guard parts.dropFirst().prefix(2).allSatisfy({ $0.utf8.count == 2 }) else { return false }
        let ranges: [ClosedRange<Int>] = [0...23, 0...59, 0...59]
        return zip(parts, ranges).allSatisfy { part, range in Int(decimal: part, in: range) != nil }
    }

    private static func isDigit(_ character: Character) -> Bool { ("0"..."9").contains(character) }

    private static func isNumeric(_ day: Substring) -> Bool { day.contains { $0 == "." || $0 == "/" } }

    /// `01.04.2024`, `2024/04/01`. The order of the numbers in `04/01/2024` differs between countries.
    private static func day(_ text: Substring) -> String? {
        let parts = text.split(omittingEmptySubsequences: false) { $0 == "." || $0 == "/" }
        guard parts.count == 3 else { return nil }
        let month = Int(decimal: parts[1], in: 1...12)
        if parts[0].utf8.count == 4 { return date(day: parts[2], month: month, year: parts[0]) }
        return text.contains("/") ? nil : date(day: parts[0], month: month, year: parts[2])
    }

    /// `1 Apr 2024`, `April 1 2024`.
    private static func day(_ first: Substring, _ second: Substring, _ year: Substring) -> String? {
        if let month = month(second) { return date(day: first, month: month, year: year) }
        return date(day: second, month: month(first), year: year)
    }

    /// The number of a month, from its name or the first letters of it.
    private static func month(_ name: Substring) -> Int? {
        guard name.utf8.count >= 3 else { return nil }
        return months.firstIndex { $0.hasPrefix(name) }.map { $0 + 1 }
    }

    private static func date(day: Substring, month: Int?, year: Substring) -> String? {
        guard let day = Int(decimal: day, in: 1...31), let month, let year = Int(decimal: year, in: FileValues.years)
        else { return nil }
        return "\(year)-\(two(month))-\(two(day))"
    }

    /// `08:00`, `8:00:30`, `08:00am`.
    private static func time(_ text: String) -> (text: String, hasSeconds: Bool)? {
        let half = ["am", "pm"].first { text.hasSuffix($0) }
        let parts = text.dropLast(half == nil ? 0 : 2).split(separator: ":", omittingEmptySubsequences: false)
        guard parts.count == 2 || parts.count == 3, parts.dropFirst().allSatisfy({ $0.utf8.count == 2 }),
            let hour = Int(decimal: parts[0], in: half == nil ? 0...23 : 1...12),
            let minute = Int(decimal: parts[1], in: 0...59),
            let second = parts.count == 3 ? Int(decimal: parts[2], in: 0...59) : 0
        else { return nil }
        let hours = half.map { hour % 12 + ($0 == "pm" ? 12 : 0) } ?? hour
        return ("\(two(hours)):\(two(minute)):\(two(second))", parts.count == 3)
    }

    private static func two(_ number: Int) -> String { (number < 10 ? "0" : "") + String(number) }
}
