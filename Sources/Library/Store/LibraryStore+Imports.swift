import Model
import Storage

/// The name of the account that rows from files belong to. No sync reads it, so none marks them as missing.
let accountOfFiles = "file"

extension LibraryStore where Access == WriteTransaction {
    /// The reading under which rows from files are written.
    ///
    /// - Parameter source: Apple Music for an export of its app, otherwise files.
    func readingOfFiles(_ source: MusicSource, userID: String, now: Timestamp) throws -> SourceReading {
        let library = try open(userID: userID, now: now)
        return SourceReading(
            userID: userID, libraryID: library, sync: 0, source: source,
            accountID: try account(accountOfFiles, of: source, library: library, now: now))
    }

    /// Writes songs from a file.
    ///
    /// - Returns: the keys of their source tracks; the number of songs among them that are new to the library; the
    ///   number of new source tracks, and the approximate number of characters in these.
    func applyImported(
        _ items: [(track: IncomingTrack, isSaved: Bool)], by reading: SourceReading, now: Timestamp
    ) throws -> (ids: [Int64], new: Int, rows: Int, characters: Int) {
        var writes = try begin(reading, now: now)
        let lastBefore = writes.lastKey
        var ids: Set<Int64> = []
        for isSaved in [true, false] {
            var tracks = items.filter { $0.isSaved == isSaved }.map(\.track)
            if !isSaved { tracks = tracks.withEarliestDates }
            guard !tracks.isEmpty else { continue }
            ids.formUnion(try write(tracks, areSaved: isSaved, by: reading, in: &writes).ids.values)
        }
        try finish(writes)
        let sorted = ids.sorted()
        var songs: Set<Int64> = []
        for part in sorted.inParts {
            songs.formUnion(
                try transaction.map(
                    """
                    SELECT track_id FROM library_source_tracks
                    WHERE +library_id = \(reading.libraryID) AND id IN (\(list: part)) AND track_id > \(lastBefore)
                    """
                ) { try $0["track_id"] as Int64 })
        }
        let rows = sorted.count { $0 > lastBefore }
        let characters = items.reduce(0) { $0 + $1.track.characters }
        return (sorted, songs.count, rows, characters / max(1, items.count) * rows)
    }

    /// Creates a playlist from a file, or finds the existing one.
    func openImported(
        playlist: SourcePlaylist, by reading: SourceReading, now: Timestamp
    ) throws -> Int64? {
        _ = try apply([playlist], by: reading, isWhole: false, now: now)
        return try transaction.row(
            """
            SELECT id FROM library_playlists
            WHERE library_id = \(reading.libraryID) AND source = \(reading.source.number)
                AND source_id = \(playlist.sourceID)
            """)?["id"]
    }

    /// Writes entries of a playlist from a file, which stay invisible until they are shown.
    ///
    /// - Parameters:
    ///   - entries: the entries, with the keys of their songs in the file.
    ///   - position: the position of the first entry.
    /// - Returns: the number of characters in their titles.
    func stageImported(
        _ entries: [ImportedEntry], of playlist: Int64, from position: Int, by reading: SourceReading
    ) throws -> Int {
        var characters = 0
        if position == 0 { try dropStagedEntries(of: playlist, library: reading.libraryID) }
        let version = try self.playlist(playlist, of: reading).entriesVersion + 1
        let keys = Array(Set(entries.compactMap(\.key)))
        var ids: [String: Int64] = [:]
        for part in keys.inParts {
            try transaction.forEachRow(
                """
                SELECT source_id, id FROM library_source_tracks
                WHERE library_id = \(reading.libraryID) AND source = \(reading.source.number)
                    AND source_id IN (\(list: part))
                """
            ) { row in
                ids[try row["source_id"]] = try row["id"] as Int64
                return .goOn
            }
        }
        for (index, entry) in entries.enumerated() {
            let id = entry.key.flatMap { ids[$0] }
            // A song that the file does not describe cannot be played.
            let kind = id != nil ? "track" : entry.kind == "track" ? "unavailable" : entry.kind
            let title = id == nil ? entry.title : nil
            characters += title?.unicodeScalars.count ?? 0
            try transaction.run(
                """
                INSERT INTO library_playlist_entries (playlist_id, version, position, kind, source_track_id, title,
                    added_at)
                VALUES (\(playlist), \(version), \(position + index), \(kind), \(id), \(title), \(entry.addedAt))
                ON CONFLICT DO NOTHING
                """)
        }
        return characters
    }

    // MARK: Removal

    /// - Returns: whether all are removed; a long playlist takes several calls.
    func removeImported(playlists ids: [Int64], library: Int64, userID: String, now: Timestamp) throws -> Bool {
        var writes = try begin(library: library, userID: userID, sync: 0, now: now)
        writes.isChanged = true
        var room = 500
        for id in ids {
            let removed = try transaction.execute(
                """
                DELETE FROM library_playlist_entries WHERE playlist_id = \(id) AND (version, position) IN (
                    SELECT version, position FROM library_playlist_entries WHERE playlist_id = \(id)
                    ORDER BY version, position LIMIT \(room))
                """)
            room -= removed
            guard room > 0 else {
                try finish(writes)
                return false
            }
            writes.counts.playlists -= try transaction.execute(
                "DELETE FROM library_playlists WHERE library_id = \(library) AND id = \(id)")
        }
        try finish(writes)
        return true
    }

    func removeImported(tracks ids: [Int64], library: Int64, userID: String, now: Timestamp) throws {
        guard !ids.isEmpty else { return }
        var writes = try begin(library: library, userID: userID, sync: 0, now: now)
        writes.isChanged = true
        try removeSourceTracks(ids, library: library, in: &writes)
        try finish(writes)
    }
}

/// A playlist entry from a file.
struct ImportedEntry: Sendable, Hashable {
    /// The key of its song in the file.
    var key: String?
    var title: String?
    var addedAt: Timestamp?
    /// The kind as stored in the table: `track`, `local`, `episode` or `unavailable`.
    var kind = "track"
}

extension [IncomingTrack] {
    /// Each song once, with its earliest date: that of its first entry in a playlist.
    fileprivate var withEarliestDates: [IncomingTrack] {
        var places: [String: Int] = [:]
        return reduce(into: []) { tracks, incoming in
            guard let place = places[incoming.track.sourceID] else {
                places[incoming.track.sourceID] = tracks.count
                tracks.append(incoming)
                return
            }
            var track = tracks[place].track
            track.addedAt = [track.addedAt, incoming.track.addedAt].compactMap(\.self).min()
            tracks[place] = tracks[place].updated(to: track)
        }
    }
}

extension IncomingTrack {
    /// The approximate number of characters in its texts.
    fileprivate var characters: Int {
        let texts = [track.title, track.artist, track.album, track.albumArtist ?? "", track.composer ?? ""]
        return (texts + track.genres + [track.artworkURL ?? ""]).reduce(0) { $0 + $1.unicodeScalars.count }
    }
}
