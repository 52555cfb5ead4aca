import Model

/// Folds the names of cities and venues, each name only once.
struct VenueKeys {
    /// A venue's name in one place.
    private struct NamedVenue: Hashable {
        var name: String
        var city: String?
        var state: String?
        var stateCode: String?
        var countryCode: String?
    }

    private let names: CityNames
    private var cities: [String: String?] = [:]
    private var venueNames: [NamedVenue: String] = [:]

    init(names: CityNames) {
        self.names = names
    }

    mutating func city(of event: ConcertEvent) -> String? {
        guard let city = event.venue?.city else { return nil }
        if let known = cities[city] { return known }
        let key = names.key(for: city)
        cities[city] = .some(key)
        return key
    }

    mutating func venues(of event: ConcertEvent) -> [String] {
        guard let venue = event.venue else { return [] }
        var keys: [String] = []
        if let id = venue.id { keys.append("id \(id)") }
        if let name = venue.name {
            let city = city(of: event)
            let named = NamedVenue(
                name: name, city: venue.city, state: venue.state, stateCode: venue.stateCode,
                countryCode: venue.countryCode)
            let folded =
                venueNames[named] ?? FoldedName(VenueName(name, of: venue, cityKey: city, names: names).hall).key
            venueNames[named] = folded
            keys.append("name \(folded) in \(city ?? "")")
        }
        return keys
    }
}
