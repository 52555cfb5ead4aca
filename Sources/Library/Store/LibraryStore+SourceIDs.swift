import Model
import Storage

/// Looks up which of a source's items are in a user's library, by the source's ids.
extension LibraryStore {
    /// The user's saved tracks to which the given tracks of a source belong.
    ///
    /// - Parameter ids: the source's ids; at most a few hundred.
    package func savedTracks(
        ofSourceTracks ids: [String], source: MusicSource, userID: String
    ) throws -> [String: LibraryID] {
        guard !ids.isEmpty, let library = try libraryID(ofUser: userID) else { return [:] }
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
        guard !ids.isEmpty, let library = try libraryID(ofUser: userID) else { return [:] }
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

    /// The user's saved albums.
    ///
    /// - Parameter ids: the source's ids; at most a few hundred.
    package func savedAlbums(
        _ ids: [String], source: MusicSource, userID: String
    ) throws -> [String: LibraryID] {
        guard !ids.isEmpty, let library = try libraryID(ofUser: userID) else { return [:] }
        return try transaction.rows(
            """
            SELECT source_id, id FROM library_albums
            WHERE library_id = \(library) AND source = \(source.number) AND source_id IN (\(list: ids))
                AND missing_since IS NULL
            """
        ).reduce(into: [:]) { $0[try $1["source_id"]] = LibraryID(key: try $1["id"]) }
    }
}
