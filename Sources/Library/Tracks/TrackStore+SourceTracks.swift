import Model
import Storage

extension SourceTrackRow {
    static let columns: SQL = """
        \(comparedColumns), missing_since, catalog_id, storefront, album_artist, composer, genres, disc_number,
        track_number, artwork, added_at, popularity, preview, plays, last_played_at, rating
        """

    /// The columns that determine which source tracks are the same song.
    static let comparedColumns: SQL = """
        id, track_id, source, account_id, source_id, is_saved, title, artist, album, duration_ms, isrc, is_explicit,
        release_date, created_at
        """

    /// A row that only has the ``comparedColumns``. It can be compared, but must not be written.
    static func compared(_ row: Row) throws -> SourceTrackRow {
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

    init(_ row: Row) throws {
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

    /// The values that are not in any index.
    fileprivate var values: [SQLValue] {
        let texts: [SQLValue] = [
            missingSince.sqlValue, track.title.sqlValue, track.artist.sqlValue, track.album.sqlValue,
            track.catalogID.sqlValue, track.storefront.sqlValue, track.albumArtist.sqlValue, track.composer.sqlValue,
            GenreList.text(track.genres).sqlValue,
        ]
        let facts: [SQLValue] = [
            track.durationMs.sqlValue, track.isrc.sqlValue, track.isExplicit.sqlValue, track.discNumber.sqlValue,
            track.trackNumber.sqlValue, (track.releaseDate?.text).sqlValue, track.artworkURL.sqlValue,
            track.addedAt.sqlValue, track.popularity.sqlValue, track.previewURL.sqlValue, track.playCount.sqlValue,
            track.lastPlayedAt.sqlValue, track.rating.sqlValue,
        ]
        return texts + facts
    }
}

private let sourceTrackInsertion = ConstantSQL(
    """
    INSERT INTO library_source_tracks (id, library_id, source, source_id, created_at, track_id, account_id, is_saved,
        missing_since, title, artist, album, catalog_id, storefront, album_artist, composer, genres, duration_ms, isrc,
        is_explicit, disc_number, track_number, release_date, artwork, added_at, popularity, preview, plays,
        last_played_at, rating, synced_at)
    VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
    """)

private let sourceTrackUpdate = ConstantSQL(
    """
    UPDATE library_source_tracks
    SET missing_since = ?, title = ?, artist = ?, album = ?, catalog_id = ?, storefront = ?, album_artist = ?,
        composer = ?, genres = ?, duration_ms = ?, isrc = ?, is_explicit = ?, disc_number = ?, track_number = ?,
        release_date = ?, artwork = ?, added_at = ?, popularity = ?, preview = ?, plays = ?, last_played_at = ?,
        rating = ?, synced_at = ?
    WHERE library_id = ? AND id = ?
    """)

private let sourceTrackMove = ConstantSQL(
    "UPDATE library_source_tracks SET track_id = ? WHERE library_id = ? AND id = ?")

extension TrackStore {
    /// Source tracks of a source, by the source's ids.
    func sourceTracks(
        _ sourceIDs: [String], of source: MusicSource, library: Int64
    ) throws -> [String: SourceTrackRow] {
        var found: [String: SourceTrackRow] = [:]
        for part in sourceIDs.inParts {
            try transaction.forEachRow(
                """
                SELECT \(SourceTrackRow.columns) FROM library_source_tracks
                WHERE library_id = \(library) AND source = \(source.number) AND source_id IN (\(list: part))
                """
            ) {
                let row = try SourceTrackRow($0)
                found[row.track.sourceID] = row
                return .continue
            }
        }
        return found
    }

    /// The source tracks of tracks, by the track's key, oldest first.
    func parts(ofTracks ids: [Int64], library: Int64) throws -> [Int64: [SourceTrackRow]] {
        var found: [Int64: [SourceTrackRow]] = [:]
        for part in ids.inParts {
            try transaction.forEachRow(
                """
                SELECT \(SourceTrackRow.columns) FROM library_source_tracks
                WHERE library_id = \(library) AND track_id IN (\(list: part)) ORDER BY id
                """
            ) {
                let row = try SourceTrackRow($0)
                found[row.trackID, default: []].append(row)
                return .continue
            }
        }
        return found
    }

    func sourceTracks(after id: Int64, library: Int64, limit: Int) throws -> [SourceTrackRow] {
        try transaction.map(
            """
            SELECT \(SourceTrackRow.columns) FROM library_source_tracks
            WHERE +library_id = \(library) AND id > \(id) ORDER BY id LIMIT \(limit)
            """, SourceTrackRow.init)
    }

    func sourceTracks(ids: [Int64], library: Int64) throws -> [SourceTrackRow] {
        try ids.inParts.flatMap { part in
            try transaction.map(
                """
                SELECT \(SourceTrackRow.columns) FROM library_source_tracks
                WHERE +library_id = \(library) AND id IN (\(list: part))
                """, SourceTrackRow.init)
        }
    }
}

extension TrackStore where Access == WriteTransaction {
    func insertSourceTrack(_ row: SourceTrackRow, library: Int64, now: Timestamp) throws {
        let own: [SQLValue] = [
            row.id.sqlValue, library.sqlValue, row.source.number.sqlValue, row.track.sourceID.sqlValue,
            row.createdAt.sqlValue, row.trackID.sqlValue, row.accountID.sqlValue, row.isSaved.sqlValue,
        ]
        try transaction.run(sourceTrackInsertion, own + row.values + [now.sqlValue])
    }

    /// Writes the values that differ. SQLite updates every index whose columns a statement mentions.
    func updateSourceTrack(_ before: SourceTrackRow, to row: SourceTrackRow, library: Int64, now: Timestamp) throws {
        if (before.isSaved, before.accountID, before.trackID) != (row.isSaved, row.accountID, row.trackID) {
            try transaction.run(
                """
                UPDATE library_source_tracks
                SET is_saved = \(row.isSaved), account_id = \(row.accountID), track_id = \(row.trackID)
                WHERE library_id = \(library) AND id = \(row.id)
                """)
        }
        guard before.track != row.track || before.missingSince != row.missingSince else { return }
        let key: [SQLValue] = [library.sqlValue, row.id.sqlValue]
        try transaction.run(sourceTrackUpdate, row.values + [now.sqlValue] + key)
    }

    /// Assigns source tracks to another track.
    func moveSourceTracks(_ rows: [SourceTrackRow], to trackID: Int64, library: Int64) throws {
        if rows.count == 1 {
            try transaction.run(sourceTrackMove, [trackID.sqlValue, library.sqlValue, rows[0].id.sqlValue])
            return
        }
        for part in rows.map(\.id).inParts {
            try transaction.run(
                """
                UPDATE library_source_tracks SET track_id = \(trackID)
                WHERE +library_id = \(library) AND id IN (\(list: part))
                """)
        }
    }
}
