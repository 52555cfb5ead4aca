import Foundation

/// The search of `/events.json`.
extension TicketmasterCatalog {
    /// The indices of the matching events, in the requested order.
    ///
    /// - Parameter shuffle: decides the order of `sort=random`.
    func events(matching query: EventQuery, shuffle: UInt64 = 0) -> [Int32] {
        var found = candidates(for: query)
        let city = query.city.map(Self.foldedPlace)
        let venues = Set(query.venueIDs.compactMap { venue(id: $0) })
        found.removeAll { index in
            let event = events[Int(index)]
            return !matches(event, query, city: city, venues: venues)
        }
        sort(&found, for: query, shuffle: shuffle)
        return found
    }

    /// The smallest set that an index gives.
    private func candidates(for query: EventQuery) -> [Int32] {
        if !query.ids.isEmpty { return Set(query.ids.compactMap { event(id: $0) }).sorted() }
        if !query.attractionIDs.isEmpty {
            let lists = query.attractionIDs.compactMap { attraction(id: $0) }.map { eventsByAttraction[Int($0)] }
            let found = Set(lists.joined())
            guard let keyword = query.keyword else { return found.sorted() }
            return eventIndex.matches(keyword).filter(found.contains)
        }
        if let keyword = query.keyword { return eventIndex.matches(keyword) }
        return Array(Int32(0)..<Int32(events.count))
    }

    private func matches(_ event: Event, _ query: EventQuery, city: String?, venues: Set<Int32>) -> Bool {
        guard query.locale.allows(event.locale), query.includeTBA.allows(event.traits.contains(.dateTBA)),
            query.includeTBD.allows(event.traits.contains(.dateTBD)),
            query.includeTest.allows(event.traits.contains(.test)),
            query.classification.allows(event.classification)
        else { return false }
        if !query.venueIDs.isEmpty, !venues.contains(event.venue) { return false }
        if query.from != nil || query.until != nil {
            guard let startsAt = event.startsAt else { return false }
            if let from = query.from, startsAt < from { return false }
            if let until = query.until, startsAt > until { return false }
        }
        return matches(self.venues[Int(event.venue)], query, city: city)
    }

    private func matches(_ venue: Venue, _ query: EventQuery, city: String?) -> Bool {
        if let city, Self.foldedPlace(venue.city ?? "") != city { return false }
        if !query.countryCodes.isEmpty, !query.countryCodes.contains(venue.countryCode) { return false }
        if !query.stateCodes.isEmpty, !query.stateCodes.contains(venue.state?.code ?? "") { return false }
        if let postalCode = query.postalCode, venue.postalCode != postalCode { return false }
        return query.area.contains(venue.location)
    }

    /// A city's name as the filter compares it: folded and without surrounding blanks, but not translated.
    static func foldedPlace(_ text: String) -> String {
        SearchText.fold(text.trimmingCharacters(in: .whitespaces))
    }
}

extension TicketmasterCatalog {
    private func sort(_ found: inout [Int32], for query: EventQuery, shuffle: UInt64) {
        switch query.sort {
        case .random:
            var numbers = SeededGenerator(seed: shuffle, stream: "random")
            found.shuffle(using: &numbers)
        case .relevanceAscending, .relevanceDescending:
            let descending = query.sort == .relevanceDescending
            order(&found, by: { descending ? -relevance($0, query.keyword) : relevance($0, query.keyword) })
        case .dateAscending: order(&found, by: { date($0, latest: false) })
        case .dateDescending: order(&found, by: { -date($0, latest: true) })
        case .nameAscending: order(&found, by: { events[Int($0)].name })
        case .nameDescending: order(&found, by: { events[Int($0)].name }, >)
        case .nameDateAscending: order(&found, by: { nameAndDate($0) })
        case .nameDateDescending: order(&found, by: { nameAndDate($0) }, >)
        case .dateNameAscending: order(&found, by: { dateAndName($0) })
        case .dateNameDescending: order(&found, by: { dateAndName($0) }, >)
        case .distanceAscending: order(&found, by: { distance($0, query.area) })
        case .distanceDateAscending:
            order(&found, by: { Pair(distance($0, query.area), date($0, latest: false)) })
        case .venueNameAscending: order(&found, by: { venues[Int(events[Int($0)].venue)].name ?? "" })
        case .venueNameDescending: order(&found, by: { venues[Int(events[Int($0)].venue)].name ?? "" }, >)
        case .onSaleStartDateAscending: order(&found, by: { Sales(event: events[Int($0)], today: today).opens })
        case .idAscending: order(&found, by: { events[Int($0)].id })
        }
    }

    /// Equal keys keep the order of the catalog, so that pages of one search never overlap.
    private func order<Key: Comparable>(
        _ found: inout [Int32], by key: (Int32) -> Key, _ precedes: (Key, Key) -> Bool = { $0 < $1 }
    ) {
        let keyed = found.map { (key: key($0), index: $0) }
        found = keyed.sorted { left, right in
            if precedes(left.key, right.key) { return true }
            if precedes(right.key, left.key) { return false }
            return left.index < right.index
        }.map(\.index)
    }

    /// Two keys, the first of which decides unless they tie.
    private struct Pair<First: Comparable, Second: Comparable>: Comparable {
        let first: First
        let second: Second

        init(_ first: First, _ second: Second) {
            self.first = first
            self.second = second
        }

        static func < (left: Pair, right: Pair) -> Bool {
            left.first == right.first ? left.second < right.second : left.first < right.first
        }
    }

    /// Events without a date come last either way.
    private func date(_ index: Int32, latest: Bool) -> Int64 {
        events[Int(index)].startsAt ?? (latest ? .min + 1 : .max)
    }

    private func nameAndDate(_ index: Int32) -> Pair<String, Int64> {
        Pair(events[Int(index)].name, date(index, latest: false))
    }

    private func dateAndName(_ index: Int32) -> Pair<Int64, String> {
        Pair(date(index, latest: false), events[Int(index)].name)
    }

    private func distance(_ index: Int32, _ area: SearchArea) -> Double {
        area.distance(to: venues[Int(events[Int(index)].venue)].location) ?? .infinity
    }

    /// Artists with exactly that name come first, then names that contain the query, then the rest. Within each group a
    /// hash of the id decides, because Ticketmaster does not document its order.
    private func relevance(_ index: Int32, _ keyword: String?) -> Int {
        let event = events[Int(index)]
        var score = Int(event.id.utf8.reduce(0) { ($0 &* 31 &+ Int($1)) & 0x3f })
        guard let keyword else { return score }
        let folded = SearchText.fold(keyword)
        if event.attractions.contains(where: { SearchText.fold(attractions[Int($0)].name) == folded }) { score += 200 }
        if SearchText.fold(event.name).contains(folded) { score += 100 }
        return score
    }
}
