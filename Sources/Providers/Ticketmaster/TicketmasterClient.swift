import Foundation
import Model
import Upstream

/// The part of Ticketmaster's Discovery API v2 that concerts need.
///
/// It does no I/O: the given closure handles permits, retries and the connection. Throws ``TicketmasterError``, or what
/// the closure throws.
package struct TicketmasterClient: Sendable {
    package typealias Send = @Sendable (UpstreamRequest) async throws -> UpstreamResponse

    private let key: Secret?
    private let urgency: UpstreamRequest.Urgency
    private let send: Send

    /// - Parameter key: if it is `nil` or empty, every call throws ``TicketmasterError/keyMissing``.
    package init(key: Secret?, urgency: UpstreamRequest.Urgency = .interactive, send: @escaping Send) {
        self.key = key.flatMap { $0.reveal().isEmpty ? nil : $0 }
        self.urgency = urgency
        self.send = send
    }
}

extension TicketmasterClient {
    /// One page of events, and the attractions on their bills.
    package struct EventPage: Sendable {
        package var events: [ConcertEvent]
        /// All attractions embedded in the page's events, each once, without Ticketmaster's test data.
        package var attractions: [ConcertAttraction]
        package var page: TicketmasterPage
    }

    package struct AttractionPage: Sendable {
        package var attractions: [ConcertAttraction]
        package var page: TicketmasterPage
    }

    /// One page of events, at most ``TicketmasterPaging/maximumSize`` long.
    package func events(
        _ query: TicketmasterEventQuery, page: Int = 0, size: Int = TicketmasterPaging.maximumSize
    ) async throws -> EventPage {
        try Self.eventPage(
            page, size, from: try await get("/events.json", query.parameters + Self.paging(page, size)))
    }

    /// The first page of a query that is not created until the call has its permit, so that others can join it until
    /// then.
    ///
    /// - Parameter query: if it throws, nothing is sent and its error is thrown.
    func events(whenSent query: @escaping @Sendable () throws -> TicketmasterEventQuery) async throws -> EventPage {
        let size = TicketmasterPaging.maximumSize
        let response = try await get("/events.json", []) { request in
            request.query = try query().parameters + Self.paging(0, size) + request.query
        }
        return try Self.eventPage(0, size, from: response)
    }

    private static func eventPage(_ page: Int, _ size: Int, from response: UpstreamResponse) throws -> EventPage {
        let list = try decode(EventListResponse.self, from: response)
        let real = list.events.items.filter { !$0.isTest }
        let events = real.compactMap(ConcertEvent.init)
        var seen = Set<String>()
        let attractions = real.flatMap(\.attractions).filter { !$0.isTest && seen.insert($0.id).inserted }
        return EventPage(
            events: events,
            attractions: attractions.map(ConcertAttraction.init),
            page: TicketmasterPage(
                list.page, page: page, size: size, received: list.events.items.count,
                skipped: list.events.skipped + real.count - events.count,
                tests: list.events.items.count - real.count, response))
    }

    package func events(
        keyword: String, page: Int = 0, size: Int = TicketmasterPaging.maximumSize
    ) async throws -> EventPage {
        try await events(TicketmasterEventQuery(.keyword(keyword)), page: page, size: size)
    }

    /// Attractions whose names match, including tribute bands.
    package func attractions(
        keyword: String, page: Int = 0, size: Int = TicketmasterPaging.maximumSize
    ) async throws -> AttractionPage {
        let response = try await get("/attractions.json", [("keyword", keyword)] + Self.paging(page, size))
        let list = try Self.decode(AttractionListResponse.self, from: response)
        let real = list.attractions.items.filter { !$0.isTest }
        return AttractionPage(
            attractions: real.map(ConcertAttraction.init),
            page: TicketmasterPage(
                list.page, page: page, size: size, received: list.attractions.items.count,
                skipped: list.attractions.skipped, tests: list.attractions.items.count - real.count, response))
    }
}

extension TicketmasterClient {
    private static func paging(_ page: Int, _ size: Int) -> [(name: String, value: String)] {
        [("page", String(page)), ("size", String(size))]
    }

    private func get(
        _ path: String, _ query: [(name: String, value: String)],
        complete: (@Sendable (inout UpstreamRequest) throws -> Void)? = nil
    ) async throws -> UpstreamResponse {
        guard let key else { throw TicketmasterError.keyMissing }
        // The default locale hides events in other languages.
        var request = UpstreamRequest(
            path: path, query: query + [("locale", "*")], secretQuery: [("apikey", key)],
            headers: [("Accept", "application/json")], urgency: urgency)
        request.complete = complete
        let response = try await send(request)
        guard response.isSuccess else { throw TicketmasterError(response, key: key) }
        return response
    }

    private static func decode<Value: Decodable>(_ type: Value.Type, from response: UpstreamResponse) throws -> Value {
        guard response.mayBeJSON else {
            throw TicketmasterError.invalidResponse(reason: "it is not JSON")
        }
        guard !response.body.isEmpty else {
            throw TicketmasterError.invalidResponse(reason: "it is empty")
        }
        do {
            return try JSONDecoder().decode(type, from: Data(response.body))
        } catch DecodingError.dataCorrupted(let context) where context.underlyingError != nil {
            // Only the parser adds an underlying error. Its text quotes the answer and is not stored.
            throw TicketmasterError.invalidResponse(reason: "it is broken JSON, or ends early")
        } catch {
            throw TicketmasterError.invalidResponse(reason: "it lacks required parts")
        }
    }
}

extension TicketmasterPage {
    /// Missing totals mean that no page follows.
    init(
        _ page: PageResponse?, page number: Int, size: Int, received: Int, skipped: Int, tests: Int,
        _ response: UpstreamResponse
    ) {
        let elements = page?.totalElements ?? number * size + received
        self.init(
            number: page?.number ?? number, size: page?.size ?? size, totalElements: elements,
            totalPages: page?.totalPages ?? 0, skippedItems: skipped, testItems: tests,
            rateLimit: TicketmasterRateLimit(headers: response.headers))
    }
}
