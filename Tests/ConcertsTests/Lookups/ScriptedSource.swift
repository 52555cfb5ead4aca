import Concerts
import Model
import Synchronization

/// Answers lookups in the place of Ticketmaster, and remembers what it was asked, as short texts: `keyword Air`,
/// `events K1,K2 full`, `attractions Air`, `city Prague`, `near 50.0,14.0 30 km`.
final class ScriptedSource: Sendable {
    typealias Answer = @Sendable (String) async throws -> ConcertSource.Found

    private struct Unexpected: Error {
        var call: String
    }

    private let log = Mutex<[String]>([])
    private let events: Answer
    private let attractions: @Sendable (String) async throws -> [ConcertAttraction]

    /// - Parameters:
    ///   - events: answers every call but a search for attractions, by its text.
    ///   - attractions: answers such a search.
    init(
        events: @escaping Answer,
        attractions: @escaping @Sendable (String) async throws -> [ConcertAttraction] = { throw Unexpected(call: $0) }
    ) {
        self.events = events
        self.attractions = attractions
    }

    /// In their order.
    var calls: [String] { log.withLock { $0 } }

    var source: ConcertSource {
        ConcertSource(
            eventsByKeyword: { try await self.find("keyword \($0)") },
            eventsByAttractions: { ids, effort in
                try await self.find("events \(ids.joined(separator: ",")) \(effort)")
            },
            attractions: { name in
                self.log.withLock { $0.append("attractions \(name)") }
                return try await self.attractions("attractions \(name)")
            },
            eventsInCity: { try await self.find("city \($0)") },
            eventsNear: { point, radius in try await self.find("near \(point.latitude),\(point.longitude) \(radius) km")
            })
    }

    private func find(_ call: String) async throws -> ConcertSource.Found {
        log.withLock { $0.append(call) }
        return try await events(call)
    }
}

extension ConcertSource.Found {
    /// Events by their ids, each with the attractions on its bill.
    ///
    /// - Parameter hasMore: whether there are pages that were not asked for.
    static func events(
        _ bills: KeyValuePairs<String, [String]>, hasMore: Bool = false, gap: ProviderFailure? = nil
    ) -> Self {
        let events = bills.map { id, bill in
            ConcertEvent(id: id, name: "Event \(id)", attractions: bill.map { .init(id: $0, name: "Artist \($0)") })
        }
        let attractions = Set(bills.flatMap(\.value)).sorted().map { ConcertAttraction(id: $0, name: "Artist \($0)") }
        return Self(events: events, attractions: attractions, hasMore: hasMore, gap: gap)
    }

    /// Events by their ids, each at a place or nowhere.
    static func events(at places: KeyValuePairs<String, GeoPoint?>, gap: ProviderFailure? = nil) -> Self {
        let events = places.map { id, place in
            ConcertEvent(id: id, name: "Event \(id)", venue: ConcertVenue(name: "Hall", location: place))
        }
        return Self(events: events, attractions: [], gap: gap)
    }
}

extension ProviderFailure {
    /// One of those that a culprit among many attractions may cause.
    static let ofOne = ProviderFailure(.ticketmaster, .unreadable, message: "")
    /// One that any other call would meet, too.
    static let ofAll = ProviderFailure(.ticketmaster, .serverError, outcome: .notSent, message: "")
}
