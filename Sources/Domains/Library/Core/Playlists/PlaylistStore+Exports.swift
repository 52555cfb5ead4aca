import LibraryFiles
import Model
import Storage

extension PlaylistStore {
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
    ) throws -> [ExportEntry] {
        guard let library = try transaction.library.libraryID(ofUser: userID) else { return [] }
        let rows = try transaction.map(
            """
            SELECT entries.position AS position, entries.kind AS kind, entries.title AS title,
                entries.added_at AS added_at, parts.track_id AS track_id
            \(playlist.entries(after: position, library: library, limit: limit))
            """
        ) { row in
            let kind: String = try row["kind"]
            return (
                entry: ExportEntry(
                    position: try row["position"], title: try row["title"], addedAt: try row["added_at"],
                    kind: FilePlaylist.Entry.Kind(rawValue: kind) ?? .unavailable),
                track: try row["track_id"] as Int64?
            )
        }
        let tracks = try transaction.tracks.exportedTracks(rows.compactMap(\.track), library: library)
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
    package func entries(after position: Int, library: Int64, limit: Int) -> SQL {
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
