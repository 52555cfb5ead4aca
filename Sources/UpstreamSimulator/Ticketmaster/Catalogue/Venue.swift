/// A place where events happen; whatever is optional here is missing from some real records.
package struct Venue: Sendable {
    package struct State: Sendable, Equatable {
        package var code: String
        package var name: String
    }

    package var id: String
    package var name: String?
    /// As Ticketmaster has it: `Praha 9`, ` Long Beach`.
    package var city: String?
    package var state: State?
    package var countryCode: String
    package var countryName: String
    package var address: String?
    package var postalCode: String?
    package var timezone: String?
    /// Degrees; 0,0 is a placeholder that some records carry.
    package var location: GeoPoint?
}

/// A point on the globe, in degrees.
package struct GeoPoint: Sendable, Equatable {
    package var latitude: Double
    package var longitude: Double
}
