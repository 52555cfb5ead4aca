import Foundation

/// The data of the simulated Ticketmaster, which a seed and a day determine.
///
/// Records are small; the bulk of an answer (pictures, sales, links) is derived
/// from an entry's id when it is written.
package struct TicketmasterCatalog: Sendable {
    package let seed: UInt64
    package let today: LocalDay
    package let attractions: [Attraction]
    package let venues: [Venue]
    package let events: [Event]

    let eventsByAttraction: [[Int32]]
    let eventsByVenue: [Int32]
    let eventIndex: KeywordIndex
    let attractionIndex: KeywordIndex
    let venueIndex: KeywordIndex
    private let eventByID: [String: Int32]
    private let attractionByID: [String: Int32]
    private let venueByID: [String: Int32]

    package init(seed: UInt64, today: LocalDay) {
        self = CatalogBuilder.build(seed: seed, today: today)
    }

    init(builder: CatalogBuilder) {
        self.init(
            seed: builder.seed, today: builder.today, attractions: builder.attractions, venues: builder.venues,
            events: builder.events)
    }

    init(seed: UInt64, today: LocalDay, attractions: [Attraction], venues: [Venue], events: [Event]) {
        self.seed = seed
        self.today = today
        self.attractions = attractions
        self.venues = venues
        let events = Self.timed(events, venues: venues)
        self.events = events

        var byAttraction = [[Int32]](repeating: [], count: attractions.count)
        var byVenue = [Int32](repeating: 0, count: venues.count)
        for (index, event) in events.enumerated() {
            for attraction in event.attractions { byAttraction[Int(attraction)].append(Int32(index)) }
            byVenue[Int(event.venue)] += 1
        }
        eventsByAttraction = byAttraction
        eventsByVenue = byVenue

        let attractionWords = attractions.map { SearchText.words($0.name) + $0.aliases.flatMap(SearchText.words) }
        let venueWords = venues.map { SearchText.words($0.name ?? "") }
        attractionIndex = KeywordIndex(documents: attractionWords)
        venueIndex = KeywordIndex(documents: venueWords)
        // Most events of an artist have the same name.
        var eventWords: [String: [String]] = [:]
        var documents: [[String]] = []
        documents.reserveCapacity(events.count)
        for event in events {
            let named = eventWords[event.name] ?? SearchText.words(event.name)
            eventWords[event.name] = named
            var words = named
            for attraction in event.attractions { words += attractionWords[Int(attraction)] }
            documents.append(words + venueWords[Int(event.venue)])
        }
        eventIndex = KeywordIndex(documents: documents)

        eventByID = Self.positions(events.map(\.id))
        attractionByID = Self.positions(attractions.map(\.id))
        venueByID = Self.positions(venues.map(\.id))
    }

    /// The index of the event with exactly that id, including its letter case.
    package func event(id: String) -> Int32? { eventByID[id] }
    package func attraction(id: String) -> Int32? { attractionByID[id] }
    package func venue(id: String) -> Int32? { venueByID[id] }

    private static func positions(_ ids: [String]) -> [String: Int32] {
        Dictionary(uniqueKeysWithValues: zip(ids, Int32(0)...))
    }

    /// Fills in the moment in UTC of every event that has a date.
    private static func timed(_ events: [Event], venues: [Venue]) -> [Event] {
        var zones: [String: TimeZone] = [:]
        return events.map { event in
            guard let day = event.day else { return event }
            var event = event
            let name = venues[Int(event.venue)].timezone ?? "UTC"
            let zone = zones[name] ?? TimeZone(identifier: name) ?? .gmt
            zones[name] = zone
            let wall = day.secondsSince1970 + Int64(event.minute ?? 0) * 60
            // The zone's offset depends on the moment in UTC, which depends on the offset. The second
            // round is exact, except in the hour of a clock change.
            var moment = wall
            for _ in 0..<2 {
                let offset = zone.secondsFromGMT(for: Date(timeIntervalSince1970: Double(moment)))
                moment = wall - Int64(offset)
            }
            event.startsAt = moment
            return event
        }
    }
}
