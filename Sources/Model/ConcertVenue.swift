/// The venue of an event. Ticketmaster may leave out any field.
package struct ConcertVenue: Hashable, Sendable, Codable {
    package var id: String?
    package var name: String?
    /// The street line.
    package var address: String?
    package var city: String?
    package var state: String?
    /// The code of the state, such as `NJ`; only for some countries.
    package var stateCode: String?
    package var country: String?
    /// The country code (ISO 3166-1 alpha-2), in capitals.
    package var countryCode: String?
    package var location: GeoPoint?
    /// The IANA name of the time zone, such as `Europe/Prague`.
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
