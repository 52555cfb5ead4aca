import Model

/// A city that a person lives in or filters by, prepared for comparison with many venues.
///
/// A state or country after a comma or in brackets narrows it: "Paris, TX" is not the Paris in France, and "Camden, NJ"
/// not the Camden in London. A city without such an addition matches every city with its name ("Paris" is any Paris),
/// and a venue without a state or country is compared only by name.
package struct HomeCity: Hashable, Sendable {
    /// See ``CityNames/key(for:)``.
    package let key: String
    private let regions: [Region]

    /// - Returns: `nil` when the text has no name.
    package init?(_ text: String, names: CityNames = .builtIn) {
        guard let key = names.key(for: text) else { return nil }
        self.key = key
        regions = Self.regions(in: text)
    }

    /// Whether the venue is in this city.
    package func matches(_ venue: ConcertVenue, names: CityNames = .builtIn) -> Bool {
        guard let city = venue.city, names.key(for: city) == key else { return false }
        // A venue may write its own city as "Camden, NJ".
        let stated = Self.regions(in: city)
        return regions.allSatisfy { region in
            let agreesWithName = stated.isEmpty || stated.contains { $0.meanings.intersects(region.meanings) }
            return agreesWithName && region.agrees(with: venue)
        }
    }

    /// What its topic in timelines is called: the states and countries that narrow the city, or `any`, and its key, such
    /// as `any:prague` and `US-TX:paris`. Spellings of one city have one topic.
    package var topicKey: String {
        let places = regions.map(\.text).sorted().joined(separator: ",")
        return (places.isEmpty ? Self.anywhere : places) + ":" + key
    }

    /// Reads ``topicKey``.
    package init?(topicKey: String) {
        guard let end = topicKey.firstIndex(of: ":") else { return nil }
        key = String(topicKey[topicKey.index(after: end)...])
        let places = topicKey[..<end]
        regions = places == Self.anywhere ? [] : places.split { $0 == "," }.map { Region(text: $0) }
    }

    /// Whether a venue near the city is in the states and countries that narrow it; true for a city without such.
    package func agrees(with venue: ConcertVenue?) -> Bool {
        regions.isEmpty || venue.map { venue in regions.allSatisfy { $0.agrees(with: venue) } } ?? false
    }

    private static let anywhere = "any"

    private static func regions(in text: String) -> [Region] {
        let plain = CityNames.withoutQualifiers(text)
        return text.dropFirst(plain.count)
            .split { ",()，".contains($0) }
            .compactMap { Region(String($0)) }
    }
}

/// A state or country in an address. A code may mean both ("CA", "DE").
private struct Region: Hashable {
    struct Meaning: Hashable {
        /// `nil` means the whole country.
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

    /// The meanings in their order: `US`, `US-TX`, or `CA|US-CA`.
    var text: String {
        meanings.map { $0.country + ($0.state.map { "-" + $0 } ?? "") }.sorted().joined(separator: "|")
    }

    /// Reads ``text``.
    init(text: Substring) {
        meanings = Set(
            text.split { $0 == "|" }.map { meaning in
                let parts = meaning.split(maxSplits: 1) { $0 == "-" }.map(String.init)
                return Meaning(state: parts.count == 2 ? parts[1] : nil, country: parts.first ?? "")
            })
    }

    /// Whether the venue's state and country match, if the venue has them.
    func agrees(with venue: ConcertVenue) -> Bool {
        meanings.contains { meaning in
            (venue.countryCode.map { $0 == meaning.country } ?? true)
                && (meaning.state == nil || venue.stateCode.map { $0 == meaning.state } ?? true)
        }
    }
}

extension Set<Region.Meaning> {
    /// Whether both may mean the same place, as New Jersey and the United States do.
    fileprivate func intersects(_ other: Set<Region.Meaning>) -> Bool {
        contains { left in
            other.contains { right in
                left.country == right.country && (left.state == nil || right.state == nil || left.state == right.state)
            }
        }
    }
}
