import Identity
import Model
import Storage

/// A track as one source describes it: a row of `library_source_tracks`.
package struct SourceTrackRow: Sendable, Hashable {
    package let id: Int64
    /// The track that the source track belongs to.
    package var trackID: Int64
    package let source: MusicSource
    /// The account whose library last contained it.
    package var accountID: Int64
    /// Whether it is saved in the source's library, or was (``missingSince`` is set then).
    package var isSaved: Bool
    /// When it disappeared from the source's library.
    package var missingSince: Timestamp?
    /// The source track's values. The added date is the service's. If the track is not saved, it is the earliest known
    /// date of its entries in playlists.
    package var track: SourceTrack
    /// When the source track was first seen.
    package let createdAt: Timestamp

    package init(
        id: Int64, trackID: Int64, source: MusicSource, accountID: Int64, isSaved: Bool, missingSince: Timestamp?,
        track: SourceTrack, createdAt: Timestamp
    ) {
        (self.id, self.trackID, self.source, self.accountID) = (id, trackID, source, accountID)
        (self.isSaved, self.missingSince, self.track, self.createdAt) = (isSaved, missingSince, track, createdAt)
    }
}

extension SourceTrackRow {
    package static let columns: SQL = """
        \(comparedColumns), missing_since, catalog_id, storefront, album_artist, composer, genres, disc_number,
        track_number, artwork, added_at, popularity, preview, plays, last_played_at, rating
        """

    /// The columns that determine which source tracks are the same song.
    package static let comparedColumns: SQL = """
        id, track_id, source, account_id, source_id, is_saved, title, artist, album, duration_ms, isrc, is_explicit,
        release_date, created_at
        """

    /// A row that only has the ``comparedColumns``. It can be compared, but must not be written.
    package static func compared(_ row: Row) throws -> SourceTrackRow {
        var track = SourceTrack(
            sourceID: try row["source_id"], title: try row["title"], artist: try row["artist"],
            album: try row["album"])
        track.durationMs = try row["duration_ms"]
        track.isrc = try row["isrc"]
        track.isExplicit = try row["is_explicit"]
        let releaseDate: String? = try row["release_date"]
        track.releaseDate = releaseDate.flatMap { ReleaseDate($0) }
        return SourceTrackRow(
            id: try row["id"], trackID: try row["track_id"], source: try MusicSource(row: row),
            accountID: try row["account_id"], isSaved: try row["is_saved"], missingSince: nil, track: track,
            createdAt: try row["created_at"])
    }

    package init(_ row: Row) throws {
        self = try .compared(row)
        missingSince = try row["missing_since"]
        track.catalogID = try row["catalog_id"]
        track.storefront = try row["storefront"]
        track.albumArtist = try row["album_artist"]
        track.composer = try row["composer"]
        track.genres = GenreList.genres(in: try row["genres"])
        track.discNumber = try row["disc_number"]
        track.trackNumber = try row["track_number"]
        track.artworkURL = try row["artwork"]
        track.addedAt = try row["added_at"]
        track.popularity = try row["popularity"]
        track.previewURL = try row["preview"]
        track.playCount = try row["plays"]
        track.lastPlayedAt = try row["last_played_at"]
        track.rating = try row["rating"]
    }
}

extension SourceTrackRow {
    /// Identifies the source track wherever our own keys must not matter.
    package var listing: Listing { Listing(source: source, id: track.sourceID) }

    /// The values that the identity rules compare.
    package var record: IdentityRecord { IdentityRecord(track, of: source) }
    package var profile: IdentityProfile { IdentityProfile(record) }

    /// Whether this source track takes precedence over another one of the same track: Apple Music's come first, then
    /// saved tracks before those that are only in playlists. Ties are broken by the service's ids, since our own depend
    /// on the order in which rows were read.
    package func precedes(_ other: SourceTrackRow) -> Bool {
        let (left, right) = ((source.number, isSaved ? 0 : 1), (other.source.number, other.isSaved ? 0 : 1))
        return left == right ? listing < other.listing : left < right
    }
}
