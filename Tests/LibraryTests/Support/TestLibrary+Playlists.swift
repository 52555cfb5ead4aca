import Model

extension TestLibrary {
    /// The shown entries of the only playlist: kind and title of the track or entry.
    func shownEntries() async throws -> [String] {
        try await database.read { reader in
            try reader.map(
                """
                SELECT kind, library_playlist_entries.title AS title, library_source_tracks.title AS track
                FROM library_playlists JOIN library_playlist_entries
                    ON library_playlist_entries.playlist_id = library_playlists.id
                    AND library_playlist_entries.version = library_playlists.entries_version
                LEFT JOIN library_source_tracks ON library_source_tracks.id = source_track_id
                WHERE library_playlists.library_id = \(libraryID) ORDER BY position
                """
            ) { row in
                let (title, track): (String?, String?) = (try row["title"], try row["track"])
                return "\(try row["kind"] as String) \(track ?? title ?? "")"
            }
        }
    }
}

extension SourcePlaylist {
    /// The playlist `p`.
    ///
    /// - Parameter count: the number of entries that the service reports.
    static func made(_ version: String?, name: String = "Mix", count: Int? = nil) -> SourcePlaylist {
        var playlist = SourcePlaylist(sourceID: "p", name: name)
        playlist.version = version
        playlist.entryCount = count
        return playlist
    }
}

extension SourcePlaylistEntry {
    /// Entries in this order.
    static func made(_ contents: [Content]) -> [SourcePlaylistEntry] {
        contents.enumerated().map { SourcePlaylistEntry(position: $0, content: $1, addedAt: nil) }
    }
}
