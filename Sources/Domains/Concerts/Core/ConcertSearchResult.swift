import Model
import Storage

/// A search with its progress, its warnings, and its shows in order.
package struct ConcertSearchResult: Sendable {
    package let search: ConcertSearchRecord
    package let outcome: SearchOutcome
    package let warnings: [SearchWarning]

    private let targets: [SearchTargetRecord]

    /// - Returns: `nil` when the user has no such search.
    package init?(id: String, userID: String, in reader: some SQLReader) throws {
        guard let search = try reader.concerts.search(id: id, userID: userID) else { return nil }
        try self.init(search, in: reader)
    }

    package init(_ search: ConcertSearchRecord, in reader: some SQLReader) throws {
        self.init(search, targets: try reader.concerts.searchTargets(searchID: search.id))
    }

    init(_ search: ConcertSearchRecord, targets: [SearchTargetRecord]) {
        self.search = search
        self.targets = targets
        outcome = SearchOutcome(search, targets)
        let isNearby = search.kind == ConcertSearches.nearbyKind
        warnings = targets.compactMap { target in
            target.warningCode.flatMap(ConcertWarningCode.init).map {
                SearchWarning($0, artist: isNearby ? nil : target.name, resetsAt: target.resetsAt)
            }
        }
    }

    /// A value that changes with the stored data that ``items(_:cityNames:today:in:)`` reads: for the same arguments,
    /// results with equal stamps have the same items.
    package struct Stamp: Hashable, Sendable {
        private let searchID: String
        private let homeCity: String?
        private let targetKeys: [String]
        private let attractionIDs: [String?]
        private let events: [Int64]

        fileprivate init(
            _ search: ConcertSearchRecord, targetKeys: [String], attractionIDs: [String?], events: [Int64]
        ) {
            searchID = search.id
            homeCity = search.homeCity
            self.targetKeys = targetKeys
            self.attractionIDs = attractionIDs
            self.events = events
        }
    }

    package func stamp(in reader: some SQLReader) throws -> Stamp {
        let keys = targets.map(\.targetKey)
        return Stamp(
            search, targetKeys: keys,
            attractionIDs: try keys.map { try reader.concerts.target(key: $0)?.attractionID },
            events: try reader.concerts.eventsStamp(targetKeys: keys))
    }

    /// The shows known so far, one item each.
    ///
    /// - Parameter today: the date in UTC; `nil` includes past shows. Shows that ended before yesterday are left out;
    ///   yesterday itself is included because it is not over yet in all time zones.
    package func items(
        _ filter: ShowFilter, cityNames: CityNames, today: LocalDate?, in reader: some SQLReader
    ) throws -> [ConcertListItem] {
        let isNearby = search.kind == ConcertSearches.nearbyKind
        let sources = try targets.map { target in
            ShowGrouping.Source(
                artist: isNearby
                    ? nil : RankedArtist(id: target.artistID, name: target.name, rank: target.rank),
                attractionID: try reader.concerts.target(key: target.targetKey)?.attractionID,
                events: try reader.concerts.events(targetKey: target.targetKey))
        }
        let notBefore = today.flatMap { LocalDate(dayNumber: $0.dayNumber - 1) }
        let grouping = ShowGrouping(
            sources,
            options: .init(includesCancelled: filter.includesCancelled, notBefore: notBefore, cityNames: cityNames))
        let home = search.homeCity.flatMap { HomeCity($0, names: cityNames) }
        return grouping.rows
            .filter { row in
                filter.city.map { city in
                    row.event.venue.map { city.matches($0, names: cityNames) } ?? false
                } ?? true
            }
            .map { ConcertListItem($0, homeCity: home, cityNames: cityNames) }
    }
}

/// Selects shows from a search.
package struct ShowFilter: Hashable, Sendable {
    /// Whether cancelled shows are included.
    package var includesCancelled: Bool
    /// Selects shows in this city; `nil` selects shows everywhere, including those without a known city.
    package var city: HomeCity?

    package init(includesCancelled: Bool = false, city: HomeCity? = nil) {
        self.includesCancelled = includesCancelled
        self.city = city
    }
}
