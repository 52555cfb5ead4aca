import Model
import Storage

/// An album that is saved at one source: a row of `library_albums`.
package struct LibraryAlbum: Sendable, Hashable, Identifiable {
    package var id: LibraryID
    package var source: MusicSource
    package var sourceID: String
    package var name: String
    package var artist: String
    package var artworkURL: String?
    package var releaseDate: String?
    package var trackCount: Int?
    package var genres: [String]
    package var addedAt: Timestamp?
    package var missingSince: Timestamp?
    /// When its source was last read to the end, or, before that and for files, when it was written.
    package var lastSyncedAt: Timestamp
    let nameKey: String

    static let columns = SQL(
        """
        id, source, source_id, name, name_key, artist, artwork, release_date, track_count, genres, added_at, \
        missing_since, COALESCE((SELECT completed_at FROM library_sources \
        WHERE library_sources.library_id = library_albums.library_id \
        AND library_sources.source = library_albums.source), synced_at) AS last_synced_at
        """)

    init(row: Row) throws {
        id = LibraryID(key: try row["id"])
        source = try MusicSource(row: row)
        sourceID = try row["source_id"]
        name = try row["name"]
        nameKey = try row["name_key"]
        artist = try row["artist"]
        artworkURL = try row["artwork"]
        releaseDate = try row["release_date"]
        trackCount = try row["track_count"]
        genres = GenreList.genres(in: try row["genres"])
        addedAt = try row["added_at"]
        missingSince = try row["missing_since"]
        lastSyncedAt = try row["last_synced_at"]
    }
}
