import Model

/// Writes iCalendar (RFC 5545) line by line.
struct CalendarWriter {
    /// The most octets in a line, excluding its end (section 3.1).
    private static let lineLength = 75

    private(set) var bytes: [UInt8] = []

    mutating func begin(_ component: String) { line("BEGIN:\(component)") }
    mutating func end(_ component: String) { line("END:\(component)") }

    /// A value that needs no escaping: a keyword, a number, a URI.
    mutating func property(_ name: String, _ value: String) {
        line("\(name):\(value)")
    }

    /// A value of type TEXT (section 3.3.11).
    mutating func text(_ name: String, _ value: String) {
        line("\(name):\(Self.escaped(value))")
    }

    /// A date, or a date and time without a zone ("floating", section 3.3.5), which every calendar shows as written.
    mutating func local(_ name: String, _ date: LocalDate, _ time: LocalTime?) {
        let day = date.description.filter { $0 != "-" }
        guard let time else { return line("\(name);VALUE=DATE:\(day)") }
        line("\(name):\(day)T\(time.description.filter { $0 != ":" })")
    }

    /// Whole days. The end of an entry of whole days is the day after the last one (section 3.6.1).
    mutating func days(_ first: LocalDate, through last: LocalDate) {
        local("DTSTART", first, nil)
        if let end = LocalDate(dayNumber: last.dayNumber + 1) { local("DTEND", end, nil) }
    }

    /// A date and a time on the clocks of a zone that the calendar has (section 3.3.5, form 3).
    mutating func zoned(_ name: String, _ moment: CalendarZone.LocalMoment, in zone: CalendarZone) {
        line("\(name);TZID=\(zone.name):\(moment.basicFormat)")
    }

    /// What another writer has written.
    mutating func append(_ other: CalendarWriter) { bytes += other.bytes }

    mutating func utc(_ name: String, _ moment: Timestamp) {
        line("\(name):\(moment.description.prefix(19).filter { $0 != "-" && $0 != ":" })Z")
    }

    /// Escapes a TEXT value. Control characters are removed, except for line breaks and tabs.
    private static func escaped(_ value: String) -> String {
        var text = ""
        for scalar in value.unicodeScalars {
            switch scalar {
            case "\\", ";", ",": text += "\\\(scalar)"
            case "\n": text += "\\n"
            case "\t": text.unicodeScalars.append(scalar)
            case _ where scalar.properties.generalCategory == .control: continue
            default: text.unicodeScalars.append(scalar)
            }
        }
        return text
    }

    /// Folds a long line between characters; each continuation line begins with a space.
    private mutating func line(_ content: String) {
        var length = 0
        for scalar in content.unicodeScalars {
            let encoded = Array(String(scalar).utf8)
            if length + encoded.count > Self.lineLength {
                bytes += [0x0D, 0x0A, 0x20]
                length = 1
            }
            bytes += encoded
            length += encoded.count
        }
        bytes += [0x0D, 0x0A]
    }
}
