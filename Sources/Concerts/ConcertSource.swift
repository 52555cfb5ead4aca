import Model

/// Where concerts come from: the outside calls of this domain, handed in as closures.
///
/// Each throws ``ProviderFailure`` when it brought nothing, and `CancellationError`.
package struct ConcertSource: Sendable {
    /// What a call, or several for the pages of one answer, brought.
    package struct Found: Sendable {
        package var events: [ConcertEvent]
        /// The attractions on the events' bills.
        package var attractions: [ConcertAttraction]
        /// Whether there is more that was not asked for.
        package var hasMore: Bool
        /// Why some pages are missing.
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

    /// One for each person in whose name calls may be made, and for whom they count; `nil` is nobody.
    package typealias ByPerson = @Sendable (_ person: String?) -> ConcertSource

    /// How hard a call is tried.
    package enum Effort: Sendable {
        /// As often and as long as it takes within two minutes.
        case full
        /// Once: what it asks for has just failed together with more. An upstream that is down as a whole
        /// is noticed soon, and one culprit among many does not look like such an upstream.
        case once
    }

    /// The first page of a search for a name in events, attractions and venues.
    package var eventsByKeyword: @Sendable (String) async throws -> Found
    /// All events of these attractions.
    package var eventsByAttractions: @Sendable ([String], Effort) async throws -> Found
    /// Attractions whose names resemble this one; look-alikes come with them.
    package var attractions: @Sendable (String) async throws -> [ConcertAttraction]
    /// Concerts in places of that name.
    package var eventsInCity: @Sendable (String) async throws -> Found
    /// Concerts within so many kilometres of a point.
    package var eventsNear: @Sendable (GeoPoint, Int) async throws -> Found

    package init(
        eventsByKeyword: @escaping @Sendable (String) async throws -> Found,
        eventsByAttractions: @escaping @Sendable ([String], Effort) async throws -> Found,
        attractions: @escaping @Sendable (String) async throws -> [ConcertAttraction],
        eventsInCity: @escaping @Sendable (String) async throws -> Found,
        eventsNear: @escaping @Sendable (GeoPoint, Int) async throws -> Found
    ) {
        self.eventsByKeyword = eventsByKeyword
        self.eventsByAttractions = eventsByAttractions
        self.attractions = attractions
        self.eventsInCity = eventsInCity
        self.eventsNear = eventsNear
    }
}
