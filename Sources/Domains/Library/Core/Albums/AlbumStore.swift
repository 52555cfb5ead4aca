import Model
import Storage

/// Saved albums, read or written in a transaction: `transaction.albums`.
package struct AlbumStore<Access: SQLReader> {
    package let transaction: Access
}

extension SQLReader {
    package var albums: AlbumStore<Self> { AlbumStore(transaction: self) }
}

extension AlbumStore {
    /// A page of a user's saved albums, sorted by name. Searches also match their artists.
    package func page(userID: String, _ query: NameListQuery) throws -> LibraryPage<LibraryAlbum> {
        guard let library = try transaction.library.libraryID(ofUser: userID) else { return .empty }
        let page = try albumIDs(query, library: library)
        let albums = try albums(ids: page.ids, library: library)
        let last = page.hasMore ? albums.last : nil
        return LibraryPage(
            items: albums, total: page.total,
            nextCursor: last.map { LibraryLists.albums.text(of: $0.nameKey, Int($0.id.key)) })
    }

    private func albumIDs(_ query: NameListQuery, library: Int64) throws -> PageIDs {
        if query.search != nil || query.artist != nil {
            var found = NameMatches(query.search)
            try transaction.forEachRow(
                """
                SELECT id, name_key, name, artist_key, artist FROM library_albums
                WHERE library_id = \(library)\(query.condition) ORDER BY \(LibraryLists.albums.order)
                """
            ) { row in
                if let artist = query.artist, !artist.includes(artist: try row["artist"]) { return .continue }
                let key: String = try row["name_key"]
                found.add(
                    key: key, id: try row["id"],
                    names: [(key, try row["name"]), (try row["artist_key"], try row["artist"])])
                return .continue
            }
            return found.page(query)
        }
        let total: Int =
            try transaction.row(
                "SELECT COUNT(*) AS count FROM library_albums WHERE library_id = \(library)\(query.condition)"
            )?["count"] ?? 0
        return try PageIDs(
            query, of: LibraryLists.albums, in: "library_albums", total: total, library: library, transaction)
    }

    private func albums(ids: [Int64], library: Int64) throws -> [LibraryAlbum] {
        guard !ids.isEmpty else { return [] }
        let found = try transaction.map(
            """
            SELECT \(LibraryAlbum.columns) FROM library_albums
            WHERE id IN (\(list: ids)) AND +library_id = \(library)
            """, LibraryAlbum.init)
        let byKey = Dictionary(found.map { ($0.id.key, $0) }) { first, _ in first }
        return ids.compactMap { byKey[$0] }
    }

    // MARK: One album

    /// One of a user's albums; `nil` if they have none with this id.
    package func album(_ id: LibraryID, userID: String) throws -> LibraryAlbum? {
        guard let library = try transaction.library.libraryID(ofUser: userID) else { return nil }
        return try albums(ids: [id.key], library: library).first
    }

    /// A page of the tracks on an album, in the album's order: the tracks that carry its name and match its artists
    /// (``AlbumCredit``).
    package func tracks(
        on album: LibraryAlbum, userID: String, start: ListStart<Cursor<Int, Int>>, limit: Int
    ) throws -> LibraryPage<LibraryTrack> {
        // An empty album name would match all tracks without an album.
        guard let library = try transaction.library.libraryID(ofUser: userID), !album.nameKey.isEmpty else {
            return .empty
        }
        let credit = AlbumCredit(artist: album.artist)
        // The key of a long name is truncated.
        let name = SearchText.folded(album.name)
        var places: [(position: Int, id: Int64)] = []
        try transaction.forEachRow(
            """
            SELECT id, album, artist, album_artist, album_position FROM library_tracks
            WHERE library_id = \(library) AND album_key = \(album.nameKey) ORDER BY album_position, id
            """
        ) { row in
            if credit.includes(artist: try row["artist"], albumArtist: try row["album_artist"]),
                SearchText.folded(try row["album"]) == name
            {
                places.append((try row["album_position"], try row["id"]))
            }
            return .continue
        }
        let first: Int
        switch start {
        case .after(.none): first = 0
        case .after(.some(let cursor)):
            let after = (cursor.values.0, Int64(cursor.values.1))
            first = places.firstIndex { ($0.position, $0.id) > after } ?? places.count
        case .position(let position): first = min(position, places.count)
        }
        let end = min(first + limit, places.count)
        let tracks = try transaction.tracks.tracks(ids: places[first..<end].map(\.id), library: library)
        let last = end < places.count ? tracks.last : nil
        return LibraryPage(
            items: tracks, total: places.count,
            nextCursor: last.map { LibraryLists.albumTracks.text(of: $0.keys.albumPosition, Int($0.id.key)) })
    }

    /// The user's saved albums.
    ///
    /// - Parameter ids: the source's ids; at most a few hundred.
    package func savedAlbums(
        _ ids: [String], source: MusicSource, userID: String
    ) throws -> [String: LibraryID] {
        guard !ids.isEmpty, let library = try transaction.library.libraryID(ofUser: userID) else { return [:] }
        return try transaction.rows(
            """
            SELECT source_id, id FROM library_albums
            WHERE library_id = \(library) AND source = \(source.number) AND source_id IN (\(list: ids))
                AND missing_since IS NULL
            """
        ).reduce(into: [:]) { $0[try $1["source_id"]] = LibraryID(key: try $1["id"]) }
    }
}
