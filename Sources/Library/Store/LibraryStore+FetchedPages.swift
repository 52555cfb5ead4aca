import Model
import Storage

/// A page of tracks that a sync has fetched, kept before the next one is requested: after a crash, only the page that
/// was under way is requested again.
struct FetchedTracks: Codable, Sendable {
    var page: SourcePage<SourceTrack>
    /// Whether further requests have completed its tracks.
    var isComplete: Bool
}

/// Where a page is kept. A sync uses the places that it has at a source in turn.
struct FetchedPlace: Sendable, Equatable {
    /// One for the page that is written, and one for each of those ahead of it.
    static let count = 1 + PageAhead.limit

    var offset: Int
    var place: Int
}

extension LibraryStore {
    /// The pages that a sync has kept of a source's tracks, as JSON, the newest first.
    ///
    /// - Parameter since: the time before which a page no longer shows how the list is.
    func fetchedPages(by reading: SourceReading, since: Timestamp) throws -> [(at: FetchedPlace, page: String)] {
        try transaction.map(
            """
            SELECT page_offset, place, page FROM library_fetched_pages
            WHERE library_id = \(reading.libraryID) AND source = \(reading.source.number) AND sync = \(reading.sync)
                AND account_id = \(reading.accountID) AND fetched_at >= \(since)
            ORDER BY fetched_at DESC
            """
        ) { (FetchedPlace(offset: try $0["page_offset"], place: try $0["place"]), try $0["page"]) }
    }
}

extension LibraryStore where Access == WriteTransaction {
    /// Keeps a page instead of the one that was in its place.
    ///
    /// - Parameter page: JSON of ``FetchedTracks``.
    /// - Throws: ``LibraryError/readingEnded``, or ``StorageError``.
    func keepFetched(_ page: String, at place: FetchedPlace, by reading: SourceReading, now: Timestamp) throws {
        _ = try accounts(of: reading)
        // What an earlier reading of the list has kept is not to be taken for this one's.
        if place.offset == 0 { try dropFetchedPages(of: reading.source, library: reading.libraryID) }
        try transaction.execute(
            """
            INSERT INTO library_fetched_pages
                (library_id, source, place, sync, account_id, page_offset, page, fetched_at)
            VALUES (\(reading.libraryID), \(reading.source.number), \(place.place), \(reading.sync),
                \(reading.accountID), \(place.offset), \(page), \(now))
            ON CONFLICT (library_id, source, place) DO UPDATE SET sync = excluded.sync,
                account_id = excluded.account_id, page_offset = excluded.page_offset, page = excluded.page,
                fetched_at = excluded.fetched_at
            """)
    }

    /// Deletes the pages that are kept of a source.
    func dropFetchedPages(of source: MusicSource, library: Int64) throws {
        try transaction.execute(
            "DELETE FROM library_fetched_pages WHERE library_id = \(library) AND source = \(source.number)")
    }

    /// Deletes the pages that a sync keeps.
    func dropFetchedPages(ofSync number: Int64, userID: String) throws {
        try transaction.execute(
            """
            DELETE FROM library_fetched_pages
            WHERE library_id = (SELECT id FROM libraries WHERE user_id = \(userID)) AND sync = \(number)
            """)
    }
}
