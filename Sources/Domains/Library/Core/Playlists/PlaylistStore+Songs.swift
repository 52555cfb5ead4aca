import Model
import Storage

extension PlaylistStore where Access == ReadTransaction {
    /// The songs of a playlist that are in the library, in its order, without repetition.
    package func songs(ofPlaylist playlist: LibraryPlaylist, userID: String, limit: Int) throws -> [LibraryTrack] {
        guard let library = try transaction.library.libraryID(ofUser: userID) else { return [] }
        let found = try transaction.keys(
            """
            SELECT s.track_id FROM library_playlist_entries e
            JOIN library_source_tracks s ON s.id = e.source_track_id
            WHERE e.playlist_id = \(playlist.id.key) AND e.version = \(playlist.entriesVersion)
                AND s.library_id = \(library)
            ORDER BY e.position LIMIT \(limit)
            """)
        var seen: Set<Int64> = []
        return try transaction.tracks.tracks(ids: found.filter { seen.insert($0).inserted }, library: library)
    }

    /// Songs that share playlists with the given songs.
    ///
    /// - Parameter tracks: at most 250 tracks.
    package func playlistNeighbors(
        ofTracks tracks: [LibraryID], userID: String, limit: Int
    ) throws -> [LibraryID: SongNeighbor] {
        guard let library = try transaction.library.libraryID(ofUser: userID), !tracks.isEmpty else { return [:] }
        let parts = try transaction.tracks.parts(ofTracks: tracks.map(\.key), library: library).values.joined().map(
            \.id)
        var shared: [Int64: Int] = [:]
        for part in parts.inParts {
            try transaction.forEachRow(
                """
                SELECT p.id AS id, COUNT(*) AS songs FROM library_playlist_entries e
                JOIN library_playlists p ON p.id = e.playlist_id AND p.entries_version = e.version
                WHERE +p.library_id = \(library) AND e.source_track_id IN (\(list: Array(part))) GROUP BY p.id
                """
            ) { row in
                shared[try row["id"], default: 0] += try row["songs"]
                return .continue
            }
        }
        let first = shared.sorted { ($1.value, $0.key) < ($0.value, $1.key) }.prefix(100)
        let lists = try first.map { playlist in
            try transaction.keys(
                """
                SELECT DISTINCT s.track_id FROM library_playlists p
                JOIN library_playlist_entries e ON e.playlist_id = p.id AND e.version = p.entries_version
                JOIN library_source_tracks s ON s.id = e.source_track_id
                WHERE p.id = \(playlist.key) AND e.position < 500
                """)
        }
        return SongNeighbor.neighbors(of: tracks, in: lists, limit: limit)
    }

    /// The ids of all songs in a playlist.
    package func songIDs(ofPlaylist playlist: LibraryPlaylist, userID: String) throws -> Set<LibraryID> {
        guard let library = try transaction.library.libraryID(ofUser: userID) else { return [] }
        return Set(
            try transaction.keys(
                """
                SELECT DISTINCT s.track_id FROM library_playlist_entries e
                JOIN library_source_tracks s ON s.id = e.source_track_id
                WHERE e.playlist_id = \(playlist.id.key) AND e.version = \(playlist.entriesVersion)
                    AND s.library_id = \(library)
                """
            ).map { LibraryID(key: $0) })
    }
}
