import Model
import Storage

/// A search as it stands: how far it is, what is missing, and its shows in order.
package struct ConcertSearchResult: Sendable {
    package let search: ConcertSearchRecord
    package let outcome: SearchOutcome
    package let warnings: [SearchWarning]

    private let subjects: [ConcertSearchSubjectRecord]

    /// - Returns: `nil` when the user has no such search.
    package init?(id: String, userID: String, in reader: some SQLReader) throws {
        guard let search = try reader.concerts.search(id: id, userID: userID) else { return nil }
        try self.init(search, in: reader)
    }

    package init(_ search: ConcertSearchRecord, in reader: some SQLReader) throws {
        self.init(search, subjects: try reader.concerts.searchSubjects(searchID: search.id))
    }

    init(_ search: ConcertSearchRecord, subjects: [ConcertSearchSubjectRecord]) {
        self.search = search
        self.subjects = subjects
        outcome = SearchOutcome(search, subjects)
        let isNearby = search.kind == ConcertSearches.nearbyKind
        warnings = subjects.compactMap { subject in
            subject.warningCode.flatMap(ConcertWarningCode.init).map {
                SearchWarning($0, artist: isNearby ? nil : subject.name, resetsAt: subject.resetsAt)
            }
        }
    }

    /// What ``items(_:cityNames:today:in:)`` depends on but its arguments: results with equal
    /// stamps have the same items.
    package struct Stamp: Hashable, Sendable {
        private let searchID: String
        private let homeCity: String?
        private let subjectKeys: [String]
        private let attractionIDs: [String?]
        private let events: [Int64]

        fileprivate init(
            _ search: ConcertSearchRecord, subjectKeys: [String], attractionIDs: [String?], events: [Int64]
        ) {
            searchID = search.id
            homeCity = search.homeCity
            self.subjectKeys = subjectKeys
            self.attractionIDs = attractionIDs
            self.events = events
        }
    }

    package func stamp(in reader: some SQLReader) throws -> Stamp {
        let keys = subjects.map(\.subjectKey)
        return Stamp(
            search, subjectKeys: keys,
            attractionIDs: try keys.map { try reader.concerts.subject(key: $0)?.attractionID },
            events: try reader.concerts.eventsStamp(subjectKeys: keys))
    }

    /// The shows known so far, one item each.
    ///
    /// - Parameter today: shows that ended before the day before are left out: somewhere it is still yesterday.
    package func items(
        _ filter: ShowFilter, cityNames: CityNames, today: LocalDate?, in reader: some SQLReader
    ) throws -> [ConcertListItem] {
        let isNearby = search.kind == ConcertSearches.nearbyKind
        let sources = try subjects.map { subject in
            ShowGrouping.Source(
                artist: isNearby
                    ? nil : RankedArtist(id: subject.artistID, name: subject.name, rank: subject.rank),
                attractionID: try reader.concerts.subject(key: subject.subjectKey)?.attractionID,
                events: try reader.concerts.events(subjectKey: subject.subjectKey))
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
