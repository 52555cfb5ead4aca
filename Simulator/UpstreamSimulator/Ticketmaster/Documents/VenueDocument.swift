/// A venue, without the members that its record lacks.
struct VenueDocument: Encodable {
    struct City: Encodable {
        var name: String
    }

    struct State: Encodable {
        var name: String
        var stateCode: String
    }

    struct Country: Encodable {
        var name: String
        var countryCode: String
    }

    struct Address: Encodable {
        var line1: String
    }

    /// The coordinates are strings in all recordings; the placeholder is a bare zero.
    struct Location: Encodable {
        let longitude: String
        let latitude: String

        init(_ point: GeoPoint) {
            longitude = Self.coordinate(point.longitude)
            latitude = Self.coordinate(point.latitude)
        }

        private static func coordinate(_ degrees: Double) -> String {
            degrees == 0 ? "0" : String(degrees)
        }
    }

    var name: String?
    let type = "venue"
    var id: String
    let test = false
    var url: String
    var locale: String
    var postalCode: String?
    var timezone: String?
    var city: City?
    var state: State?
    var country: Country
    var address: Address?
    var location: Location?
    var upcomingEvents: UpcomingEventsDocument
    var links: LinksDocument

    enum CodingKeys: String, CodingKey {
        case name, type, id, test, url, locale, postalCode, timezone, city, state, country, address, location
        case upcomingEvents
        case links = "_links"
    }
}

/// The number of events of an attraction or a venue.
struct UpcomingEventsDocument: Encodable {
    let ticketmaster: Int?
    let total: Int
    let filtered = 0

    init(_ count: Int) {
        ticketmaster = count > 0 ? count : nil
        total = count
    }

    enum CodingKeys: String, CodingKey {
        case ticketmaster
        case total = "_total"
        case filtered = "_filtered"
    }
}

extension TicketmasterDocuments {
    func venue(_ index: Int32) -> VenueDocument {
        let venue = catalog.venues[Int(index)]
        return VenueDocument(
            name: venue.name, id: venue.id, url: "https://www.ticketmaster.example/venue/\(venue.id)", locale: locale,
            postalCode: venue.postalCode, timezone: venue.timezone, city: venue.city.map { .init(name: $0) },
            state: venue.state.map { .init(name: $0.name, stateCode: $0.code) },
            country: .init(name: venue.countryName, countryCode: venue.countryCode),
            address: venue.address.map { .init(line1: $0) }, location: venue.location.map { .init($0) },
            upcomingEvents: UpcomingEventsDocument(Int(catalog.eventsByVenue[Int(index)])),
            links: LinksDocument(own: link(.venues, venue.id)))
    }
}
