import Library
import Model
import Storage

extension TrackValues {
    fileprivate static let columns: SQL = """
        id, title, artist, album, sources, is_saved, missing_since, album_artist, composer, genres, duration_ms, isrc,
        is_explicit, disc_number, track_number, release_date, artwork, added_at, plays
        """

    fileprivate init(_ row: Row) throws {
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
        let date: String? = try row["release_date"]
        releaseDate = date.flatMap { ReleaseDate($0) }
        artworkURL = try row["artwork"]
        addedAt = try row["added_at"]
        plays = try row["plays"]
        sources = try row["sources"]
        isSaved = try row["is_saved"]
        missingSince = try row["missing_since"]
    }

    fileprivate func hasNames(of other: TrackValues) -> Bool {
        (title, artist, album) == (other.title, other.artist, other.album)
    }

    /// The values that are indexed, other than names.
    fileprivate var indexed: [SQLValue] {
        [sources.sqlValue, albumPosition.sqlValue, addedAt.sqlValue, plays.sqlValue]
    }

    /// The values that are not in any index.
    fileprivate var others: [SQLValue] {
        [
            isrc.sqlValue, isSaved.sqlValue, missingSince.sqlValue, albumArtist.sqlValue, composer.sqlValue,
            GenreList.text(genres).sqlValue, durationMs.sqlValue, isExplicit.sqlValue, discNumber.sqlValue,
            trackNumber.sqlValue, (releaseDate?.text).sqlValue, artworkURL.sqlValue,
        ]
    }
}

/// The columns are in the order of ``TrackValues/indexed`` and ``TrackValues/others``.
private let trackInsertion = ConstantSQL(
    """
    INSERT INTO library_tracks (id, library_id, title, artist, album, title_key, artist_key, album_key,
        sources, album_position, added_at, plays, total_plays,
        isrc, is_saved, missing_since, album_artist, composer, genres, duration_ms, is_explicit, disc_number,
        track_number, release_date, artwork)
    VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
    """)

private let updateIndexed = ConstantSQL(
    """
    UPDATE library_tracks SET sources = ?, album_position = ?, added_at = ?, plays = ?,
        total_plays = CASE WHEN listens > ? THEN listens ELSE ? END, isrc = ?, is_saved = ?,
        missing_since = ?, album_artist = ?, composer = ?, genres = ?, duration_ms = ?, is_explicit = ?,
        disc_number = ?, track_number = ?, release_date = ?, artwork = ?
    WHERE library_id = ? AND id = ?
    """)

private let updateOthers = ConstantSQL(
    """
    UPDATE library_tracks SET isrc = ?, is_saved = ?, missing_since = ?, album_artist = ?, composer = ?, genres = ?,
        duration_ms = ?, is_explicit = ?, disc_number = ?, track_number = ?, release_date = ?, artwork = ?
    WHERE library_id = ? AND id = ?
    """)

extension TrackStore {
    /// Tracks with all of their source tracks.
    func trackGroup(_ ids: [Int64], library: Int64) throws -> TrackGroup {
        var group = TrackGroup()
        try loadTracks(ids, library: library, into: &group)
        group.parts = try parts(ofTracks: group.ids, library: library)
        return group
    }

    /// With several ids and no plus sign before `library_id`, SQLite 3.40 would read an index of the whole library.
    func loadTracks(_ ids: some Sequence<Int64>, library: Int64, into group: inout TrackGroup) throws {
        for part in Array(Set(ids)).inParts {
            try transaction.forEachRow(
                """
                SELECT \(TrackValues.columns) FROM library_tracks
                WHERE +library_id = \(library) AND id IN (\(list: part))
                """
            ) { row in
                let id: Int64 = try row["id"]
                group.before[id] = try TrackValues(row)
                return .continue
            }
        }
    }
}

extension TrackStore where Access == WriteTransaction {
    /// Writes tracks according to their source tracks. A track without source tracks is deleted.
    ///
    /// - Parameter ids: the tracks in `group` whose source tracks have changed.
    func storeTracks(_ ids: Set<Int64>, of group: TrackGroup, in writes: inout LibraryWrites) throws {
        let library = writes.libraryID
        var gone: [Int64] = []
        // New tracks are written in the order of their keys, so that each one is appended to the table.
        for id in ids.sorted() {
            let before = group.before[id]
            guard let parts = group.parts[id], !parts.isEmpty else {
                guard let before else { continue }
                gone.append(id)
                writes.counts.countTrack(before, -1)
                continue
            }
            let values = TrackValues(of: parts)
            guard values != before else { continue }
            if let before {
                try updateTrack(id, from: before, to: values, library: library, in: &writes)
                writes.counts.countTrack(before, -1)
            } else {
                let names = group.newNames[id] ?? FoldedNames(values)
                try insertTrack(id, values, names, library: library)
                writes.texts.append((id, SearchText(names)))
            }
            writes.counts.countTrack(values, 1)
            writes.isChanged = true
        }
        try deleteTracks(gone, library: library)
        writes.removedTexts += gone
    }

    private func insertTrack(_ id: Int64, _ values: TrackValues, _ names: FoldedNames, library: Int64) throws {
        let own: [SQLValue] = [
            id.sqlValue, library.sqlValue, values.title.sqlValue, values.artist.sqlValue, values.album.sqlValue,
            names.titleKey.sqlValue, names.artistKey.sqlValue, names.albumKey.sqlValue,
        ]
        try transaction.run(trackInsertion, own + values.indexed + [values.plays.sqlValue] + values.others)
    }

    /// SQLite updates every index whose columns a statement mentions, so most updates mention none of them.
    private func updateTrack(
        _ id: Int64, from before: TrackValues, to values: TrackValues, library: Int64, in writes: inout LibraryWrites
    ) throws {
        if !values.hasNames(of: before) {
            let names = FoldedNames(values)
            try transaction.run(
                """
                UPDATE library_tracks
                SET title = \(values.title), artist = \(values.artist), album = \(values.album),
                    title_key = \(names.titleKey), artist_key = \(names.artistKey), album_key = \(names.albumKey)
                WHERE library_id = \(library) AND id = \(id)
                """)
            writes.texts.append((id, SearchText(names)))
        }
        let (indexed, others) = (values.indexed, values.others)
        let key: [SQLValue] = [library.sqlValue, id.sqlValue]
        if before.indexed != indexed {
            try transaction.run(
                updateIndexed, indexed + [values.plays.sqlValue, values.plays.sqlValue] + others + key)
        } else if before.others != others {
            try transaction.run(updateOthers, others + key)
        }
    }

    func deleteTracks(_ ids: [Int64], library: Int64) throws {
        for part in ids.inParts {
            try transaction.run(
                "DELETE FROM library_tracks WHERE +library_id = \(library) AND id IN (\(list: part))")
        }
    }
}
