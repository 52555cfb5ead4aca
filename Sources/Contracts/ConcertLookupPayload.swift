/// The payload of `concerts.lookup`, version 1: artists to be looked up in one go.
///
/// They are either several whose attraction is known, which one call answers, or a single one that
/// has to be found first.
package struct ConcertLookupPayload: Codable, Sendable, Equatable {
    package struct Artist: Codable, Sendable, Equatable {
        /// The folded name.
        package var key: String
        /// As a person wrote it.
        package var name: String
        /// Ticketmaster's id, when it is known.
        package var attractionID: String?

        package init(key: String, name: String, attractionID: String?) {
            self.key = key
            self.name = name
            self.attractionID = attractionID
        }
    }

    package var artists: [Artist]

    package init(artists: [Artist]) {
        self.artists = artists
    }
}

/// The payload of `concerts.nearby`, version 1: an area to be looked up.
package struct NearbyLookupPayload: Codable, Sendable, Equatable {
    /// The key of the area.
    package var key: String
    /// As a person wrote it.
    package var city: String
    /// The folded city.
    package var cityKey: String
    package var radiusKm: Int

    package init(key: String, city: String, cityKey: String, radiusKm: Int) {
        self.key = key
        self.city = city
        self.cityKey = cityKey
        self.radiusKm = radiusKm
    }
}
