import Model
import Storage

/// What of a source's items a person's library has, by the source's ids.
extension LibraryStore {
    /// The songs that a person has in their library, of which a source's track is one.
    ///
    /// - Parameter ids: the source's, a few hundred at most.
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

    /// The songs that a person has in their library, by Apple Music's ids of the catalog, which songs of the library do
    /// not have for their own.
    ///
    /// - Parameters:
    ///   - ids: a few hundred at most.
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

    /// The albums that a person has saved.
    ///
    /// - Parameter ids: the source's, a few hundred at most.
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
