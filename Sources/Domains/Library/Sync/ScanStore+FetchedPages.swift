import Library
import LibraryWriting
import Model
import Storage

/// A page of tracks that a sync has fetched. It is stored before the next one is requested, so that after a crash, only
/// the page that was being fetched is requested again.
struct FetchedTracks: Codable, Sendable {
    var page: SourcePage<SourceTrack>
    /// Whether its tracks were completed with further requests.
    var isComplete: Bool
}

/// The slot in which a page is stored. A sync uses its slots at a source in turn.
struct FetchedPageSlot: Sendable, Equatable {
    /// One slot for the page that is being written, and one for each page ahead of it.
    static let count = 1 + PageAhead.limit

    var offset: Int
    var place: Int
}

extension ScanStore {
    /// The pages of a source's tracks that a sync has stored, as JSON, newest first.
    ///
    /// - Parameter since: the time before which a page no longer represents the list.
    func fetchedPages(by scan: SourceScan, since: Timestamp) throws -> [(at: FetchedPageSlot, page: String)] {
        try transaction.map(
            """
            SELECT page_offset, place, page FROM library_fetched_pages
            WHERE library_id = \(scan.libraryID) AND source = \(scan.source.number) AND sync = \(scan.sync)
                AND account_id = \(scan.accountID) AND fetched_at >= \(since)
            ORDER BY fetched_at DESC
            """
        ) { (FetchedPageSlot(offset: try $0["page_offset"], place: try $0["place"]), try $0["page"]) }
    }
}

extension ScanStore where Access == WriteTransaction {
    /// Stores a page, replacing the one that was in its slot.
    ///
    /// - Parameter page: the JSON of ``FetchedTracks``.
    /// - Throws: ``LibraryError/scanEnded``, or ``StorageError``.
    func storeFetchedPage(_ page: String, at place: FetchedPageSlot, by scan: SourceScan, now: Timestamp) throws {
        _ = try transaction.library.accounts(of: scan)
        // Pages that an earlier scan of the list stored must not be mistaken for pages of this one.
        if place.offset == 0 { try dropFetchedPages(of: scan.source, library: scan.libraryID) }
        try transaction.run(
            """
            INSERT INTO library_fetched_pages
                (library_id, source, place, sync, account_id, page_offset, page, fetched_at)
            VALUES (\(scan.libraryID), \(scan.source.number), \(place.place), \(scan.sync),
                \(scan.accountID), \(place.offset), \(page), \(now))
            ON CONFLICT (library_id, source, place) DO UPDATE SET sync = excluded.sync,
                account_id = excluded.account_id, page_offset = excluded.page_offset, page = excluded.page,
                fetched_at = excluded.fetched_at
            """)
    }

    /// Deletes the stored pages of a source.
    func dropFetchedPages(of source: MusicSource, library: Int64) throws {
        try transaction.run(
            "DELETE FROM library_fetched_pages WHERE library_id = \(library) AND source = \(source.number)")
    }

    /// Deletes the pages that a sync has stored.
    func dropFetchedPages(ofSync number: Int64, userID: String) throws {
        try transaction.run(
            """
            DELETE FROM library_fetched_pages
            WHERE library_id = (SELECT id FROM libraries WHERE user_id = \(userID)) AND sync = \(number)
            """)
    }
}
