/// A release of an artist of the catalog.
struct Release: Sendable, Hashable {
    /// The artist's number times eight, plus the edition's.
    let number: UInt32

    init(artist: Int, edition: Edition) {
        number = UInt32(artist * 8 + edition.rawValue)
    }

    /// Returns `nil` for a number that does not belong to a release.
    init?(number: UInt64) {
        guard number % 8 < Edition.allCases.count, let number = UInt32(exactly: number) else { return nil }
        self.number = number
    }

    var artist: Int { Int(number) / 8 }
    // The initializers allow no other numbers.
    var edition: Edition { Edition(rawValue: Int(number) % 8) ?? .album }
}
