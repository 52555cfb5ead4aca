/// A release date with the precision that a service reports: `2019`, `2019-05` or `2019-05-17`.
package struct ReleaseDate: Sendable, Hashable {
    /// The text in one of these forms, as the database and the API have it.
    package let text: String

    /// - Returns: `nil` for a text of another form, and for a date that does not exist.
    package init?(_ text: String) {
        let parts = text.split(separator: "-", omittingEmptySubsequences: false)
        let lengths = [4, 2, 2]
        guard (1...3).contains(parts.count),
            zip(parts, lengths).allSatisfy({ part, length in
                part.utf8.count == length && part.utf8.allSatisfy { (0x30...0x39).contains($0) }
            })
        else { return nil }
        let numbers = parts.compactMap { Int(decimal: $0, in: 0...9_999) }
        let (month, day) = (numbers.count > 1 ? numbers[1] : 1, numbers.count > 2 ? numbers[2] : 1)
        // Spotify writes 0000 if it does not know the year.
        guard numbers[0] > 0, LocalDate(year: numbers[0], month: month, day: day) != nil else { return nil }
        self.text = text
    }
}

extension ReleaseDate: Codable {
    package init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        guard let date = ReleaseDate(try container.decode(String.self)) else {
            throw DecodingError.dataCorruptedError(in: container, debugDescription: "It is not a release date.")
        }
        self = date
    }

    package func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(text)
    }
}
