/// Where an event takes place. Ticketmaster leaves out any of these.
package struct ConcertVenue: Hashable, Sendable, Codable {
    package var id: String?
    package var name: String?
    /// The street line.
    package var address: String?
    package var city: String?
    package var state: String?
    /// As in `NJ`; only some countries have them.
    package var stateCode: String?
    package var country: String?
    /// ISO 3166-1, two capitals.
    package var countryCode: String?
    package var location: GeoPoint?
    /// IANA name, as in `Europe/Prague`.
    package var timezone: String?

    package init(
        id: String? = nil, name: String? = nil, address: String? = nil, city: String? = nil, state: String? = nil,
        stateCode: String? = nil, country: String? = nil, countryCode: String? = nil, location: GeoPoint? = nil,
        timezone: String? = nil
    ) {
        self.id = id
        self.name = name
        self.address = address
        self.city = city
        self.state = state
        self.stateCode = stateCode
        self.country = country
        self.countryCode = countryCode
        self.location = location
        self.timezone = timezone
    }
}
