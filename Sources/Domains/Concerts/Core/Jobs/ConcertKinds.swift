import Contracts

extension TypedJobKind where Payload == ConcertLookupPayload, Result == ConcertLookupResult {
    /// Looks up the concerts of one or more artists at Ticketmaster, for all searches that wait for them.
    ///
    /// Six lookups at once make as many calls as a key allows per second. More lookups of one person would only take
    /// slots from other people's lookups.
    package static var concertsLookup: Self {
        Self(
            JobKind(
                name: "concerts.lookup", version: 1, submitter: .system, maximumRunTime: .seconds(180),
                maximumRunningPerUser: 6))
    }
}

extension TypedJobKind where Payload == NearbyLookupPayload, Result == NearbyLookupResult {
    /// Looks up the concerts around a city at Ticketmaster.
    package static var concertsNearby: Self {
        Self(
            JobKind(
                name: "concerts.nearby", version: 1, submitter: .system, maximumRunTime: .seconds(180),
                maximumRunningPerUser: 4))
    }
}

/// The payload of `concerts.lookup`, version 1: the artists to look up.
///
/// They are either several artists with known attractions, which one call answers, or a single artist that has to be
/// found first. Each name that is also searched for takes one more call.
package struct ConcertLookupPayload: Codable, Sendable, Equatable {
    package struct Artist: Codable, Sendable, Equatable {
        /// The folded name.
        package var key: String
        /// The name as a person wrote it.
        package var name: String
        /// Ticketmaster's id, if it is known.
        package var attractionID: String?
        /// Spotify's id, if it is known: it distinguishes the artist from namesakes.
        package var spotifyID: String?
        /// Whether an artist with a known attraction is also searched for by name, to find shows without a bill; `nil`
        /// means no.
        package var searchesName: Bool?

        package init(
            key: String, name: String, attractionID: String?, spotifyID: String? = nil, searchesName: Bool? = nil
        ) {
            self.key = key
            self.name = name
            self.attractionID = attractionID
            self.spotifyID = spotifyID
            self.searchesName = searchesName
        }
    }

    package var artists: [Artist]

    package init(artists: [Artist]) {
        self.artists = artists
    }
}

/// The result of `concerts.lookup`: the numbers of artists and events.
package struct ConcertLookupResult: Codable, Sendable, Equatable {
    package var artists: Int
    package var events: Int

    package init(artists: Int, events: Int) {
        self.artists = artists
        self.events = events
    }
}

/// The payload of `concerts.nearby`, version 1: the area to look up.
package struct NearbyLookupPayload: Codable, Sendable, Equatable {
    /// The key of the area.
    package var key: String
    /// The city as a person wrote it.
    package var city: String
    /// The folded name of the city.
    package var cityKey: String
    package var radiusKm: Int

    package init(key: String, city: String, cityKey: String, radiusKm: Int) {
        self.key = key
        self.city = city
        self.cityKey = cityKey
        self.radiusKm = radiusKm
    }
}

/// The result of `concerts.nearby`: the number of events.
package struct NearbyLookupResult: Codable, Sendable, Equatable {
    package var events: Int

    package init(events: Int) {
        self.events = events
    }
}
