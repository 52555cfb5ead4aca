import Concerts
import Model
import Synchronization

/// Answers lookups in place of Ticketmaster, and records the queries as short texts: `keyword Air`, `events K1,K2
/// full`, `attractions Air`, `city Prague`, `near 50.0,14.0 30 km`.
final class ScriptedSource: ConcertSource {
    typealias Answer = @Sendable (String) async throws -> ConcertQueryResult

    private struct UnexpectedError: Error {
        var call: String
    }

    private let log = Mutex<[String]>([])
    private let events: Answer
    private let attractions: @Sendable (String) async throws -> [ConcertAttraction]

    /// - Parameters:
    ///   - events: answers every query but one for attractions, by its text.
    ///   - attractions: answers such a query.
    init(
        events: @escaping Answer,
        attractions: @escaping @Sendable (String) async throws -> [ConcertAttraction] = {
            throw UnexpectedError(call: $0)
        }
    ) {
        self.events = events
        self.attractions = attractions
    }

    /// The calls, in order.
    var calls: [String] { log.withLock { $0 } }

    func find(_ query: ConcertQuery) async throws -> ConcertQueryResult {
        let call = query.text
        log.withLock { $0.append(call) }
        guard case .attractions = query else { return try await events(call) }
        return ConcertQueryResult(events: [], attractions: try await attractions(call))
    }
}

extension ConcertQuery {
    fileprivate var text: String {
        switch self {
        case .eventsByKeyword(let name): "keyword \(name)"
        case .eventsByAttractions(let ids, let effort): "events \(ids.joined(separator: ",")) \(effort)"
        case .attractions(let name): "attractions \(name)"
        case .eventsInCity(let city): "city \(city)"
        case .eventsNear(let point, let radiusKm): "near \(point.latitude),\(point.longitude) \(radiusKm) km"
        }
    }
}

extension ConcertQueryResult {
    /// Events by their ids, each with the attractions on its bill.
    ///
    /// - Parameter hasMore: whether there are pages that were not requested.
    static func events(
        _ bills: KeyValuePairs<String, [String]>, hasMore: Bool = false, gap: ProviderFailure? = nil
    ) -> Self {
        let events = bills.map { id, bill in
            ConcertEvent(id: id, name: "Event \(id)", attractions: bill.map { .init(id: $0, name: "Artist \($0)") })
        }
        let attractions = Set(bills.flatMap(\.value)).sorted().map { ConcertAttraction(id: $0, name: "Artist \($0)") }
        return Self(events: events, attractions: attractions, hasMore: hasMore, gap: gap)
    }

    /// Events by their ids, each at a point or without one.
    static func events(at places: KeyValuePairs<String, GeoPoint?>, gap: ProviderFailure? = nil) -> Self {
        let events = places.map { id, place in
            ConcertEvent(id: id, name: "Event \(id)", venue: ConcertVenue(name: "Hall", location: place))
        }
        return Self(events: events, attractions: [], gap: gap)
    }
}

extension ProviderFailure {
    /// A failure that one of many attractions may cause.
    static let ofOne = ProviderFailure(.ticketmaster, .unreadable, message: "")
    /// A failure that every other call would also encounter.
    static let ofAll = ProviderFailure(.ticketmaster, .serverError, outcome: .notSent, message: "")
}
