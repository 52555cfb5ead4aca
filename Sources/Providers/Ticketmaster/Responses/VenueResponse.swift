/// A venue as Ticketmaster sends it. Everything may be missing.
struct VenueResponse: Decodable {
    var id: String?
    var name: String?
    var address: String?
    var city: String?
    var state: String?
    var stateCode: String?
    var country: String?
    var countryCode: String?
    var latitude: String?
    var longitude: String?
    var timezone: String?

    private enum Keys: String, CodingKey {
        case id, name, address, city, state, country, location, timezone
    }
    private enum InnerKeys: String, CodingKey {
        case name, line1, stateCode, countryCode, latitude, longitude
    }

    init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: Keys.self)
        func inner(_ key: Keys) -> KeyedDecodingContainer<InnerKeys>? {
            try? container.nestedContainer(keyedBy: InnerKeys.self, forKey: key)
        }
        id = container.identifier(.id)
        name = container.text(.name)
        timezone = container.text(.timezone)
        address = inner(.address)?.text(.line1)
        city = inner(.city)?.text(.name)
        let state = inner(.state)
        self.state = state?.text(.name)
        stateCode = state?.text(.stateCode)
        let country = inner(.country)
        self.country = country?.text(.name)
        countryCode = country?.text(.countryCode)
        let location = inner(.location)
        latitude = location.flatMap { Self.coordinate($0, .latitude) }
        longitude = location.flatMap { Self.coordinate($0, .longitude) }
    }

    /// Coordinates are texts. Elsewhere in the API there are numbers, so both are accepted.
    private static func coordinate(_ container: KeyedDecodingContainer<InnerKeys>, _ key: InnerKeys) -> String? {
        container.text(key) ?? container.lenient(Double.self, key).map { String($0) }
    }
}
