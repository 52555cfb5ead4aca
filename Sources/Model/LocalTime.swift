/// The time of day of an event in local time, without a time zone (`19:30:00`).
package struct LocalTime: Hashable, Sendable {
    /// Seconds since local midnight, 0…86,399.
    package let secondOfDay: Int

    /// Reads `HH:mm` or `HH:mm:ss`; fractions of a second are ignored.
    package init?(_ text: String) {
        let parts = text.prefix { $0 != "." }.split(separator: ":", omittingEmptySubsequences: false)
        guard parts.count == 2 || parts.count == 3,
            parts.allSatisfy({ $0.utf8.count == 2 && $0.utf8.first != UInt8(ascii: "-") }),
            let hour = Int(decimal: parts[0], in: 0...23), let minute = Int(decimal: parts[1], in: 0...59),
            let second = parts.count == 3 ? Int(decimal: parts[2], in: 0...59) : 0
        else { return nil }
        secondOfDay = hour * 3_600 + minute * 60 + second
    }

    /// `nil` outside 0…86,399.
    package init?(secondOfDay: Int) {
        guard (0..<86_400).contains(secondOfDay) else { return nil }
        self.secondOfDay = secondOfDay
    }
}

extension LocalTime: Comparable {
    package static func < (left: LocalTime, right: LocalTime) -> Bool { left.secondOfDay < right.secondOfDay }
}

extension LocalTime: CustomStringConvertible {
    /// `HH:mm:ss`
    package var description: String {
        [secondOfDay / 3_600, secondOfDay / 60 % 60, secondOfDay % 60]
            .map { $0 < 10 ? "0\($0)" : "\($0)" }
            .joined(separator: ":")
    }
}

extension LocalTime: Codable {
    package init(from decoder: any Decoder) throws {
        let text = try decoder.singleValueContainer().decode(String.self)
        guard let time = LocalTime(text) else {
            throw DecodingError.dataCorrupted(
                .init(codingPath: decoder.codingPath, debugDescription: "a time is written HH:mm:ss"))
        }
        self = time
    }

    package func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(description)
    }
}
