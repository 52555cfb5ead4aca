import Model
import Storage

/// Playlists and their entries, read or written in a transaction: `transaction.playlists`.
package struct PlaylistStore<Access: SQLReader> {
    package let transaction: Access
}

extension SQLReader {
    package var playlists: PlaylistStore<Self> { PlaylistStore(transaction: self) }
}

extension PlaylistStore {
    /// A page of a user's playlists, sorted by name.
    package func page(userID: String, _ query: NameListQuery) throws -> LibraryPage<LibraryPlaylist> {
        guard let library = try transaction.library.libraryID(ofUser: userID) else { return .empty }
        let page = try playlistIDs(query, library: library)
        let playlists = try playlists(ids: page.ids, library: library)
        let last = page.hasMore ? playlists.last : nil
        return LibraryPage(
            items: playlists, total: page.total,
            nextCursor: last.map { LibraryLists.playlists.text(of: $0.nameKey, Int($0.id.key)) })
    }

    private func playlistIDs(_ query: NameListQuery, library: Int64) throws -> PageIDs {
        if let search = query.search {
            var found = NameMatches(search)
            try transaction.forEachRow(
                """
                SELECT id, name_key, name FROM library_playlists
                WHERE library_id = \(library)\(query.condition) ORDER BY \(LibraryLists.playlists.order)
                """
            ) { row in
                let key: String = try row["name_key"]
                found.add(key: key, id: try row["id"], names: [(key, try row["name"])])
                return .continue
            }
            return found.page(query)
        }
        let total: Int =
            try transaction.row(
                "SELECT COUNT(*) AS count FROM library_playlists WHERE library_id = \(library)\(query.condition)"
            )?["count"] ?? 0
        return try PageIDs(
            query, of: LibraryLists.playlists, in: "library_playlists", total: total, library: library, transaction)
    }

    private func playlists(ids: [Int64], library: Int64) throws -> [LibraryPlaylist] {
        guard !ids.isEmpty else { return [] }
        let found = try transaction.map(
            """
            SELECT \(LibraryPlaylist.columns) FROM library_playlists
            WHERE id IN (\(list: ids)) AND +library_id = \(library)
            """, LibraryPlaylist.init)
        let byKey = Dictionary(found.map { ($0.id.key, $0) }) { first, _ in first }
        return ids.compactMap { byKey[$0] }
    }

    // MARK: One playlist

    /// One of a user's playlists; `nil` if they have none with this id.
    package func playlist(_ id: LibraryID, userID: String) throws -> LibraryPlaylist? {
        guard let library = try transaction.library.libraryID(ofUser: userID) else { return nil }
        return try playlists(ids: [id.key], library: library).first
    }

    /// A page of a playlist's entries, in order.
    ///
    /// - Parameter playlist: the playlist as read in the same transaction, since it determines the version of the
    ///   entries.
    package func entries(
        of playlist: LibraryPlaylist, userID: String, start: ListStart<Cursor<Int>>, limit: Int
    ) throws -> LibraryPage<LibraryPlaylistEntry> {
        guard let library = try transaction.library.libraryID(ofUser: userID) else { return .empty }
        let isOfPlaylist: SQL = "playlist_id = \(playlist.id.key) AND version = \(playlist.entriesVersion)"
        let total: Int =
            try transaction.row(
                "SELECT COUNT(*) AS count FROM library_playlist_entries WHERE \(isOfPlaylist)")?["count"] ?? 0
        let (following, offset) = LibraryLists.entries.beginning(of: start)
        let rows = try transaction.rows(
            """
            SELECT position, kind, source_track_id, title, added_at FROM library_playlist_entries
            WHERE \(isOfPlaylist)\(following) ORDER BY position LIMIT \(limit + 1) OFFSET \(offset)
            """)
        let shown = rows.prefix(limit)
        let songs = try songs(
            ofSourceTracks: shown.compactMap { row -> Int64? in try row["source_track_id"] }, library: library)
        let entries = try shown.map { row in
            let sourceTrack: Int64? = try row["source_track_id"]
            let song = sourceTrack.flatMap { songs[$0] }
            let title: String? = try row["title"]
            return LibraryPlaylistEntry(
                position: try row["position"], kind: try row["kind"], title: title ?? song?.title,
                addedAt: try row["added_at"], track: song?.track)
        }
        let last = rows.count > limit ? entries.last : nil
        return LibraryPage(
            items: entries, total: total, nextCursor: last.map { LibraryLists.entries.text(of: $0.position) })
    }

    /// The titles of source tracks at their source, and the tracks that they belong to.
    private func songs(
        ofSourceTracks ids: [Int64], library: Int64
    ) throws -> [Int64: (title: String, track: LibraryTrack?)] {
        guard !ids.isEmpty else { return [:] }
        let rows = try transaction.rows(
            """
            SELECT id, track_id, title FROM library_source_tracks
            WHERE id IN (\(list: ids)) AND +library_id = \(library)
            """)
        let tracks = try transaction.tracks.tracks(ids: rows.map { try $0["track_id"] }, library: library)
        let byKey = Dictionary(tracks.map { ($0.id.key, $0) }) { first, _ in first }
        return try rows.reduce(into: [:]) { songs, row in
            songs[try row["id"]] = (try row["title"], byKey[try row["track_id"]])
        }
    }
}
