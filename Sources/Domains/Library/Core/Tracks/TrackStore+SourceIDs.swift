import Model
import Storage

/// Looks up which of a source's items are in a user's library, by the source's ids.
extension TrackStore {
    /// The user's saved tracks to which the given tracks of a source belong.
    ///
    /// - Parameter ids: the source's ids; at most a few hundred.
    package func savedTracks(
        ofSourceTracks ids: [String], source: MusicSource, userID: String
    ) throws -> [String: LibraryID] {
        guard !ids.isEmpty, let library = try transaction.library.libraryID(ofUser: userID) else { return [:] }
        return try transaction.rows(
            """
            SELECT library_source_tracks.source_id, library_tracks.id FROM library_source_tracks
            JOIN library_tracks ON library_tracks.id = library_source_tracks.track_id
            WHERE library_source_tracks.library_id = \(library) AND library_source_tracks.source = \(source.number)
                AND library_source_tracks.source_id IN (\(list: ids))
                AND library_tracks.is_saved = 1 AND library_tracks.missing_since IS NULL
            """
        ).reduce(into: [:]) { $0[try $1["source_id"]] = LibraryID(key: try $1["id"]) }
    }

    /// The user's saved tracks, by Apple Music's catalog ids, which differ from the ids of library songs.
    ///
    /// - Parameters:
    ///   - ids: at most a few hundred ids.
    ///   - storefront: the country whose catalog they are from.
    package func savedTracks(
        ofCatalogIDs ids: [String], storefront: String, userID: String
    ) throws -> [String: LibraryID] {
        guard !ids.isEmpty, let library = try transaction.library.libraryID(ofUser: userID) else { return [:] }
        return try transaction.rows(
            """
            SELECT library_source_tracks.catalog_id, library_tracks.id FROM library_source_tracks
            JOIN library_tracks ON library_tracks.id = library_source_tracks.track_id
            WHERE library_source_tracks.library_id = \(library)
                AND library_source_tracks.source = \(MusicSource.appleMusic.number)
                AND library_source_tracks.catalog_id IN (\(list: ids))
                AND library_source_tracks.storefront = \(storefront)
                AND library_tracks.is_saved = 1 AND library_tracks.missing_since IS NULL
            """
        ).reduce(into: [:]) { $0[try $1["catalog_id"]] = LibraryID(key: try $1["id"]) }
    }

    /// The ids of the given tracks whose ISRC should be looked up in the catalog: they came without one, and the
    /// library neither has an ISRC for them nor already knows them with the same catalog id, which was looked up at
    /// that time.
    ///
    /// The order makes SQLite look up the ids; otherwise it would read all of the library's source tracks.
    package func tracksToLookUp(
        among tracks: [SourceTrack], source: MusicSource, userID: String
    ) throws -> Set<String> {
        let open = tracks.filter { $0.isrc == nil && $0.catalogID != nil }
        var wanted = Dictionary(open.map { ($0.sourceID, $0) }) { first, _ in first }
        guard let library = try transaction.library.libraryID(ofUser: userID) else { return Set(wanted.keys) }
        for part in wanted.keys.sorted().inParts {
            try transaction.forEachRow(
                """
                SELECT source_id, isrc, catalog_id, storefront FROM library_source_tracks
                WHERE library_id = \(library) AND source = \(source.number) AND source_id IN (\(list: part))
                ORDER BY source_id
                """
            ) { row in
                let (id, isrc): (String, String?) = (try row["source_id"], try row["isrc"])
                let (catalogID, storefront): (String?, String?) = (try row["catalog_id"], try row["storefront"])
                let isSame = catalogID == wanted[id]?.catalogID && storefront == wanted[id]?.storefront
                if isrc != nil || isSame { wanted[id] = nil }
                return .continue
            }
        }
        return Set(wanted.keys)
    }
}
