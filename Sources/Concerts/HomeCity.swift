import Model

/// The city a person lives in, or asks for, ready to be compared with many venues.
///
/// What follows a comma or stands in brackets narrows it when it names a state or a country:
/// "Paris, TX" is not the Paris of France, and "Camden, NJ" not the Camden of London. Where the
/// venue does not say its state or country, the city's name decides alone; so it does for a home
/// city without such an addition ("Paris" is any Paris).
package struct HomeCity: Hashable, Sendable {
    /// See ``CityNames/key(for:)``.
    package let key: String
    private let regions: [Region]

    /// `nil` when the text holds no name.
    package init?(_ text: String, names: CityNames = .builtIn) {
        guard let key = names.key(for: text) else { return nil }
        self.key = key
        regions = Self.regions(in: text)
    }

    /// Whether the venue is in this city.
    package func matches(_ venue: ConcertVenue, names: CityNames = .builtIn) -> Bool {
        guard let city = venue.city, names.key(for: city) == key else { return false }
        // "Camden, NJ" may also be how the venue writes its own city.
        let stated = Self.regions(in: city)
        return regions.allSatisfy { region in
            let agreesWithName = stated.isEmpty || stated.contains { $0.meanings.intersects(region.meanings) }
            return agreesWithName && region.agrees(with: venue)
        }
    }

    private static func regions(in text: String) -> [Region] {
        let plain = CityNames.withoutQualifiers(text)
        return text.dropFirst(plain.count)
            .split { ",()，".contains($0) }
            .compactMap { Region(String($0)) }
    }
}

/// A state or a country that an address names; a code may mean one of each ("CA", "DE").
private struct Region: Hashable {
    struct Meaning: Hashable {
        /// `nil` when a country as a whole is meant.
        var state: String?
        var country: String
    }

    var meanings: Set<Meaning>

    /// `nil` for text that names neither.
    init?(_ text: String) {
        let name = FoldedText.words(of: text).joined(separator: " ")
        let code = name.uppercased()
        meanings = Set(
            RegionNames.states.filter { $0.code == code || $0.name == name }
                .map { Meaning(state: $0.code, country: $0.country) }
                + RegionNames.countries.filter { $0.code == code || $0.names.contains(name) }
                .map { Meaning(country: $0.code) })
        if meanings.isEmpty { return nil }
    }

    /// False only where the venue says something else.
    func agrees(with venue: ConcertVenue) -> Bool {
        meanings.contains { meaning in
            (venue.countryCode.map { $0 == meaning.country } ?? true)
                && (meaning.state == nil || venue.stateCode.map { $0 == meaning.state } ?? true)
        }
    }
}

extension Set<Region.Meaning> {
    /// Whether both may mean the same place: New Jersey lies in the United States.
    fileprivate func intersects(_ other: Set<Region.Meaning>) -> Bool {
        contains { left in
            other.contains { right in
                left.country == right.country && (left.state == nil || right.state == nil || left.state == right.state)
            }
        }
    }
}
