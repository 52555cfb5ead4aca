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
    let nameKey: String

    static let columns = SQL(
        """
        id, source, source_id, name, name_key, artist, artwork, release_date, track_count, genres, added_at, \
        missing_since
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
    }
}
