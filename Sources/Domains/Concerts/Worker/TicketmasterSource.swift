import Concerts
import Model
import Ticketmaster
import Upstream

/// Concerts from Ticketmaster's Discovery API, requested with one key in the name of any person.
///
/// Lookups that request events of attractions at the same time share their calls (``SharedEventCalls``).
struct TicketmasterSource: Sendable {
    /// How many pages of an area's events are requested: the next thousand events. All events of a large city would use
    /// up the day's calls.
    private static let areaPages = 5

    private let client: TicketmasterClient
    private let onceClient: TicketmasterClient
    private let sharedCalls: SharedEventCalls

    /// - Parameters:
    ///   - client: repeats calls that fail.
    ///   - onceClient: makes each call once (``ConcertQuery/Effort/once``).
    init(_ client: TicketmasterClient, once onceClient: TicketmasterClient) {
        self.client = client
        self.onceClient = onceClient
        sharedCalls = SharedEventCalls { person, attractions in
            ConcertQueryResult(
                try await Self.call(for: person) {
                    try await client.allEvents(whenSent: { TicketmasterEventQuery(.attractions(try attractions())) })
                })
        }
    }

    /// - Parameter person: the person in whose name the calls are made: calls with the same key are served person by
    ///   person, and calls with the installation's key count for that person. `nil` means nobody in particular.
    /// - Throws: ``ProviderFailure``; `CancellationError`.
    func find(_ query: ConcertQuery, for person: String?) async throws -> ConcertQueryResult {
        switch query {
        case .eventsByKeyword(let name):
            return try await events(.keyword(name), for: person, pageLimit: 1)
        case .eventsByAttractions(let ids, .full):
            return try await sharedCalls.events(of: ids, for: person)
        case .eventsByAttractions(let ids, .once):
            return try await events(.attractions(ids), for: person, with: onceClient)
        case .attractions(let name):
            let page = try await Self.call(for: person) { try await client.attractions(keyword: name) }
            return ConcertQueryResult(events: [], attractions: page.attractions)
        case .eventsInCity(let city):
            return try await events(.city(city, countryCode: nil), for: person, pageLimit: Self.areaPages)
        case .eventsNear(let point, let radiusKm):
            return try await events(.near(point, radiusKm: radiusKm), for: person, pageLimit: Self.areaPages)
        }
    }

    private func events(
        _ subject: TicketmasterEventQuery.Subject, for person: String?, with client: TicketmasterClient? = nil,
        pageLimit: Int = .max
    ) async throws -> ConcertQueryResult {
        let client = client ?? self.client
        return ConcertQueryResult(
            try await Self.call(for: person) {
                try await client.allEvents(TicketmasterEventQuery(subject), pageLimit: pageLimit)
            })
    }

    /// Makes a call in a person's name.
    ///
    /// - Throws: ``ProviderFailure`` for an error of Ticketmaster or of the connection; `CancellationError`.
    private static func call<Value>(for person: String?, _ call: () async throws -> Value) async throws -> Value {
        try await UpstreamRequest.$currentPerson.withValue(person) {
            try await ProviderFailure.translating(.ticketmaster, call)
        }
    }
}

extension ConcertQueryResult {
    fileprivate init(_ collection: TicketmasterClient.EventCollection) {
        self.init(
            events: collection.events, attractions: collection.attractions, hasMore: collection.hasMore,
            gap: collection.gap.map { error in
                ProviderFailure(error, of: .ticketmaster)
                    ?? ProviderFailure(.ticketmaster, .serverError, message: "A page of the answer is missing.")
            })
    }
}
