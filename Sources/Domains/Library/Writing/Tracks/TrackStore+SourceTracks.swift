import Library
import Model
import Storage

extension SourceTrackRow {
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
    func sourceTracks(after id: Int64, library: Int64, limit: Int) throws -> [SourceTrackRow] {
        try transaction.map(
            """
            SELECT \(SourceTrackRow.columns) FROM library_source_tracks
            WHERE +library_id = \(library) AND id > \(id) ORDER BY id LIMIT \(limit)
            """, SourceTrackRow.init)
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
