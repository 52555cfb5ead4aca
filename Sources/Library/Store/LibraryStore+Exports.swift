import LibraryFiles
import Model
import Storage

/// A song in the form in which files contain it.
package struct ExportedTrack: Sendable, Hashable {
    /// The key of the song in the database. The next page starts after it.
    package var id: Int64
    /// The song's values. Its `sourceID` is the song's key in files.
    package var track: SourceTrack
    /// Whether it is saved in the library, rather than only in playlists.
    package var isSaved: Bool
}

/// A playlist entry in the form in which files contain it.
package struct ExportedEntry: Sendable, Hashable {
    package var position: Int
    /// `nil` if the entry is not a song.
    package var track: SourceTrack?
    package var title: String?
    package var addedAt: Timestamp?
    package var kind: FilePlaylist.Entry.Kind

    /// The entry to write to a file.
    package var file: FilePlaylist.Entry {
        FilePlaylist.Entry(
            key: track?.sourceID, title: track == nil ? title : nil, addedAt: addedAt,
            kind: track == nil && kind == .track ? .unavailable : kind)
    }
}

extension LibraryStore {
    /// Songs in the order of their keys.
    ///
    /// - Parameters:
    ///   - id: the key to start after; 0 starts with the first song.
    ///   - savedOnly: whether to leave out songs that are only in playlists, such as songs that are no longer saved.
    package func exportedTracks(
        userID: String, after id: Int64, savedOnly: Bool, limit: Int
    ) throws -> [ExportedTrack] {
        guard let library = try libraryID(ofUser: userID) else { return [] }
        let isListed: SQL = """
            EXISTS (
                SELECT 1 FROM library_source_tracks AS parts
                JOIN library_playlist_entries AS entries ON entries.source_track_id = parts.id
                JOIN library_playlists AS lists ON lists.id = entries.playlist_id
                    AND lists.entries_version = entries.version AND lists.missing_since IS NULL
                WHERE parts.track_id = library_tracks.id AND +parts.library_id = library_tracks.library_id)
            """
        let isExported: SQL =
            savedOnly ? "missing_since IS NULL AND is_saved = 1" : "(missing_since IS NULL OR \(isListed))"
        let ids = try transaction.map(
            """
            SELECT id FROM library_tracks
            WHERE library_id = \(library) AND id > \(id) AND \(isExported) ORDER BY id LIMIT \(limit)
            """
        ) { try $0["id"] as Int64 }
        let tracks = try exportedTracks(ids, library: library)
        return ids.compactMap { tracks[$0] }
    }

    private func exportedTracks(_ ids: [Int64], library: Int64) throws -> [Int64: ExportedTrack] {
        let group = try tracks(ids, library: library)
        return group.before.reduce(into: [:]) { found, track in
            let (id, values) = track
            var file = SourceTrack(sourceID: "", title: values.title, artist: values.artist, album: values.album)
            file.albumArtist = values.albumArtist
            file.composer = values.composer
            file.genres = values.genres
            file.durationMs = values.durationMs
            file.isrc = values.isrc
            file.isExplicit = values.isExplicit
            file.discNumber = values.discNumber
            file.trackNumber = values.trackNumber
            file.releaseDate = values.releaseDate
            file.artworkURL = values.artworkURL
            let parts = group.parts[id] ?? []
            file.addedAt = values.addedAt
            file.playCount = parts.compactMap(\.track.playCount).max()
            file.lastPlayedAt = parts.compactMap(\.track.lastPlayedAt).max()
            file.rating = parts.compactMap(\.track.rating).first
            file.sourceID = LibraryFileWriter.key(of: file, uri: parts.lazy.compactMap(\.address).first)
            found[id] = ExportedTrack(id: id, track: file, isSaved: values.isSaved && values.missingSince == nil)
        }
    }

    /// Playlists in the order of their keys, without missing ones.
    package func exportedPlaylists(userID: String, after id: Int64, limit: Int) throws -> [LibraryPlaylist] {
        try transaction.map(
            """
            SELECT \(LibraryPlaylist.columns) FROM library_playlists
            WHERE user_id = \(userID) AND id > \(id) AND missing_since IS NULL ORDER BY id LIMIT \(limit)
            """, LibraryPlaylist.init)
    }

    /// The entries of a playlist, in order.
    ///
    /// - Parameter position: the position to start after; -1 starts with the first entry.
    package func exportedEntries(
        of playlist: LibraryPlaylist, userID: String, after position: Int, limit: Int
    ) throws -> [ExportedEntry] {
        guard let library = try libraryID(ofUser: userID) else { return [] }
        let rows = try transaction.map(
            """
            SELECT entries.position AS position, entries.kind AS kind, entries.title AS title,
                entries.added_at AS added_at, parts.track_id AS track_id
            \(playlist.entries(after: position, library: library, limit: limit))
            """
        ) { row in
            let kind: String = try row["kind"]
            return (
                entry: ExportedEntry(
                    position: try row["position"], title: try row["title"], addedAt: try row["added_at"],
                    kind: FilePlaylist.Entry.Kind(rawValue: kind) ?? .unavailable),
                track: try row["track_id"] as Int64?
            )
        }
        let tracks = try exportedTracks(rows.compactMap(\.track), library: library)
        return rows.map { row in
            var entry = row.entry
            entry.track = row.track.flatMap { tracks[$0]?.track }
            return entry
        }
    }
}

extension LibraryPlaylist {
    /// The part of a statement that reads the playlist's `entries` after a position, in order, each with the source
    /// track that it is, in `parts`.
    func entries(after position: Int, library: Int64, limit: Int) -> SQL {
        """
        FROM library_playlist_entries AS entries
        LEFT JOIN library_source_tracks AS parts
            ON parts.id = entries.source_track_id AND parts.library_id = \(library)
        WHERE entries.playlist_id = \(id.key) AND entries.version = \(entriesVersion)
            AND entries.position > \(position)
        ORDER BY entries.position LIMIT \(limit)
        """
    }

    /// The playlist to write to a file, without its entries.
    package var file: FilePlaylist {
        FilePlaylist(
            key: source == .file ? sourceID : "\(source.rawValue):playlist:\(sourceID)", name: name,
            description: description)
    }
}

extension SourceTrackRow {
    /// The address in a service's catalog, which files use as a key; `nil` if there is none.
    fileprivate var address: String? {
        switch source {
        case .spotify: "spotify:track:\(track.sourceID)"
        case .appleMusic: track.catalogID.map { "appleMusic:track:\($0)" }
        case .file: track.sourceID
        }
    }
}
