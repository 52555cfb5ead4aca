import Model

/// A provider of concerts, as a lookup asks it.
package protocol ConcertSource: Sendable {
    /// - Throws: ``ProviderFailure`` when the query brought nothing; `CancellationError`.
    func find(_ query: ConcertQuery) async throws -> FoundConcerts
}

/// A question to a provider of concerts.
package enum ConcertQuery: Hashable, Sendable {
    /// The first page of events that a name finds among events, attractions and venues.
    case eventsByKeyword(String)
    /// All events of attractions, which their ids name.
    case eventsByAttractions([String], Effort)
    /// Attractions whose names resemble this one, look-alikes included. The answer has no events.
    case attractions(String)
    /// Events in places of this name.
    case eventsInCity(String)
    case eventsNear(GeoPoint, radiusKm: Int)

    /// How often a call is tried.
    package enum Effort: Sendable {
        /// With retries, for two minutes at most.
        case full
        /// Once, because the same attractions have just failed together with others. So an outage is noticed soon, and
        /// the failures of one attraction that causes them do not look like an outage.
        case once
    }
}

/// The answer to a ``ConcertQuery``, of one call or several pages.
package struct FoundConcerts: Sendable {
    package var events: [ConcertEvent]
    /// The attractions on the events' bills, or those that were asked for.
    package var attractions: [ConcertAttraction]
    /// Whether there are pages that were not asked for.
    package var hasMore: Bool
    /// Why pages that were asked for are missing.
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
