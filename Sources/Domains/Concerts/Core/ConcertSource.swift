import Model

/// A provider of concerts, as lookups use it.
package protocol ConcertSource: Sendable {
    /// - Throws: ``ProviderFailure`` when the query returned nothing; `CancellationError`.
    func find(_ query: ConcertQuery) async throws -> ConcertQueryResult
}

/// A query to a provider of concerts.
package enum ConcertQuery: Hashable, Sendable {
    /// The first page of the events that match a name, which may be that of an event, attraction or venue.
    case eventsByKeyword(String)
    /// All events of the attractions with these ids.
    case eventsByAttractions([String], Effort)
    /// Attractions whose names resemble this one, including look-alikes. The answer has no events.
    case attractions(String)
    /// Events in places with this name.
    case eventsInCity(String)
    case eventsNear(GeoPoint, radiusKm: Int)

    /// How often a call is attempted.
    package enum Effort: Sendable {
        /// With retries, for at most two minutes.
        case full
        /// Once, because the same attractions have just failed together with others. This way an outage is noticed
        /// soon, and the failures caused by a single attraction do not look like an outage.
        case once
    }
}

/// The answer to a ``ConcertQuery``, from one call or several pages.
package struct ConcertQueryResult: Sendable {
    package var events: [ConcertEvent]
    /// The attractions on the events' bills, or those that were requested.
    package var attractions: [ConcertAttraction]
    /// Whether there are pages that were not requested.
    package var hasMore: Bool
    /// The reason why requested pages are missing.
    package var gap: ProviderFailure?

    package init(
        events: [ConcertEvent], attractions: [ConcertAttraction], hasMore: Bool = false, gap: ProviderFailure? = nil
    ) {
        self.events = events
        self.attractions = attractions
        self.hasMore = hasMore
        self.gap = gap
    }
}
