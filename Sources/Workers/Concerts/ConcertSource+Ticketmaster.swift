import Concerts
import Model
import Ticketmaster
import Upstream

extension ConcertSource {
    /// Concerts from Ticketmaster's Discovery API, asked for in anybody's name; lookups that come together share their
    /// calls.
    ///
    /// - Parameters:
    ///   - client: tries again what fails.
    ///   - onceClient: does not; see ``Effort/once``.
    package static func ticketmaster(_ client: TicketmasterClient, onceClient: TicketmasterClient) -> ByPerson {
        sharingCalls { person in
            ConcertSource(
                eventsByKeyword: { keyword in
                    try await asking(for: person) {
                        Found(try await client.allEvents(TicketmasterEventQuery(.keyword(keyword)), pageLimit: 1))
                    }
                },
                eventsByAttractions: { ids, effort in
                    try await asking(for: person) {
                        let client = effort == .once ? onceClient : client
                        return Found(try await client.allEvents(TicketmasterEventQuery(.attractions(ids))))
                    }
                },
                attractions: { name in
                    try await asking(for: person) { try await client.attractions(keyword: name).attractions }
                },
                eventsInCity: { city in
                    try await asking(for: person) {
                        Found(
                            try await client.allEvents(
                                TicketmasterEventQuery(.city(city, countryCode: nil)), pageLimit: areaPages))
                    }
                },
                eventsNear: { point, radius in
                    try await asking(for: person) {
                        Found(
                            try await client.allEvents(
                                TicketmasterEventQuery(.near(point, radiusKm: radius)), pageLimit: areaPages))
                    }
                })
        } call: { person, ids in
            try await asking(for: person) {
                Found(try await client.allEvents(whenSent: { TicketmasterEventQuery(.attractions(try ids())) }))
            }
        }
    }

    /// An area is asked for its next thousand concerts; a whole metropolis would use up the day's calls.
    private static let areaPages = 5

    /// Makes a call in somebody's name, and throws its errors as failures.
    private static func asking<Value>(
        for person: String?, _ call: () async throws -> Value
    ) async throws -> Value {
        try await UpstreamRequest.$currentPerson.withValue(person) {
            try await ProviderFailure.translating(.ticketmaster, call)
        }
    }
}

extension ConcertSource.Found {
    init(_ collection: TicketmasterClient.EventCollection) {
        self.init(
            events: collection.events, attractions: collection.attractions, hasMore: collection.hasMore,
            gap: collection.gap.map { error in
                ProviderFailure(error, of: .ticketmaster)
                    ?? ProviderFailure(.ticketmaster, .serverError, message: "A page of the answer is missing.")
            })
    }
}
