import Model
import Storage

/// A track of a user's library: a row of `library_tracks`.
package struct LibraryTrack: Sendable, Hashable, Identifiable {
    /// The values that lists are sorted by.
    struct Keys: Sendable, Hashable {
        var title: String
        var artist: String
        var album: String
        var albumPosition: Int
    }

    package var id: LibraryID
    package var title: String
    package var artist: String
    package var album: String
    package var albumArtist: String?
    package var composer: String?
    package var genres: [String]
    package var durationMs: Int?
    package var isrc: String?
    package var isExplicit: Bool?
    package var discNumber: Int?
    package var trackNumber: Int?
    package var releaseDate: String?
    package var artworkURL: String?
    package var addedAt: Timestamp
    /// The greater of ``servicePlayCount`` and ``listens``.
    package var playCount: Int
    /// The play count of the services. Only Apple Music has one; Spotify does not report any.
    package var servicePlayCount: Int
    /// The number of the user's listens to the track.
    package var listens: Int
    /// The sources that have the track, in the order of `MusicSource`.
    package var sources: [MusicSource]
    /// Whether the track is, or was, saved at a source rather than only listed in playlists.
    package var isInLibrary: Bool
    /// When the track disappeared from the last source that had it.
    package var missingSince: Timestamp?
    let keys: Keys

    static let columns = SQL(
        """
        id, title, artist, album, title_key, artist_key, album_key, album_position, sources, is_saved, missing_since, \
        album_artist, composer, genres, duration_ms, isrc, is_explicit, disc_number, track_number, release_date, \
        artwork, added_at, plays, listens, total_plays
        """)

    init(row: Row) throws {
        id = LibraryID(key: try row["id"])
        title = try row["title"]
        artist = try row["artist"]
        album = try row["album"]
        albumArtist = try row["album_artist"]
        composer = try row["composer"]
        genres = GenreList.genres(in: try row["genres"])
        durationMs = try row["duration_ms"]
        isrc = try row["isrc"]
        isExplicit = try row["is_explicit"]
        discNumber = try row["disc_number"]
        trackNumber = try row["track_number"]
        releaseDate = try row["release_date"]
        artworkURL = try row["artwork"]
        addedAt = try row["added_at"]
        playCount = try row["total_plays"]
        servicePlayCount = try row["plays"]
        listens = try row["listens"]
        let numbers: Int = try row["sources"]
        sources = MusicSource.allCases.filter { numbers & $0.number != 0 }
        isInLibrary = try row["is_saved"]
        missingSince = try row["missing_since"]
        keys = Keys(
            title: try row["title_key"], artist: try row["artist_key"], album: try row["album_key"],
            albumPosition: try row["album_position"])
    }
}

/// A track as one source describes it: a row of `library_source_tracks`.
package struct LibrarySourceTrack: Sendable, Hashable, Identifiable {
    package var id: LibraryID
    package var source: MusicSource
    package var sourceID: String
    package var title: String
    package var artist: String
    package var album: String
    package var catalogID: String?
    package var storefront: String?
    package var albumArtist: String?
    package var composer: String?
    package var genres: [String]
    package var durationMs: Int?
    package var isrc: String?
    package var isExplicit: Bool?
    package var discNumber: Int?
    package var trackNumber: Int?
    package var releaseDate: String?
    package var artworkURL: String?
    package var addedAt: Timestamp?
    package var popularity: Int?
    package var previewURL: String?
    package var playCount: Int?
    package var lastPlayedAt: Timestamp?
    package var rating: Int?
    package var isInLibrary: Bool
    package var missingSince: Timestamp?
    package var syncedAt: Timestamp

    static let columns = SQL(
        """
        id, source, source_id, title, artist, album, catalog_id, storefront, album_artist, composer, genres, \
        duration_ms, isrc, is_explicit, disc_number, track_number, release_date, artwork, added_at, popularity, \
        preview, plays, last_played_at, rating, is_saved, missing_since, synced_at
        """)

    init(row: Row) throws {
        id = LibraryID(key: try row["id"])
        source = try MusicSource(row: row)
        sourceID = try row["source_id"]
        title = try row["title"]
        artist = try row["artist"]
        album = try row["album"]
        catalogID = try row["catalog_id"]
        storefront = try row["storefront"]
        albumArtist = try row["album_artist"]
        composer = try row["composer"]
        genres = GenreList.genres(in: try row["genres"])
        durationMs = try row["duration_ms"]
        isrc = try row["isrc"]
        isExplicit = try row["is_explicit"]
        discNumber = try row["disc_number"]
        trackNumber = try row["track_number"]
        releaseDate = try row["release_date"]
        artworkURL = try row["artwork"]
        addedAt = try row["added_at"]
        popularity = try row["popularity"]
        previewURL = try row["preview"]
        playCount = try row["plays"]
        lastPlayedAt = try row["last_played_at"]
        rating = try row["rating"]
        isInLibrary = try row["is_saved"]
        missingSince = try row["missing_since"]
        syncedAt = try row["synced_at"]
    }
}

extension MusicSource {
    /// Reads the source from a row with a `source` column.
    package init(row: Row) throws {
        let number: Int = try row["source"]
        guard let source = MusicSource(number: number) else {
            throw StorageError.column(name: "source", found: "\(number)", wanted: "the number of a source")
        }
        self = source
    }
}
