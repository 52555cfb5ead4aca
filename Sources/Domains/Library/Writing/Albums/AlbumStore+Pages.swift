import Library
import Model
import Storage

/// A row of `library_albums`.
private struct AlbumRow: Hashable {
    let id: Int64
    var accountID: Int64
    var missingSince: Timestamp?
    var album: SourceAlbum

    init(id: Int64, accountID: Int64, album: SourceAlbum) {
        (self.id, self.accountID, self.album) = (id, accountID, album)
    }

    static let columns: SQL = """
        id, account_id, missing_since, source_id, name, artist, artwork, release_date, track_count, genres, added_at
        """

    init(_ row: Row) throws {
        var album = SourceAlbum(
            sourceID: try row["source_id"], name: try row["name"], artist: try row["artist"])
        album.artworkURL = try row["artwork"]
        let releaseDate: String? = try row["release_date"]
        album.releaseDate = releaseDate.flatMap { ReleaseDate($0) }
        album.trackCount = try row["track_count"]
        album.genres = GenreList.genres(in: try row["genres"])
        album.addedAt = try row["added_at"]
        self.init(id: try row["id"], accountID: try row["account_id"], album: album)
        missingSince = try row["missing_since"]
    }

    /// The row after the album appeared on a page. Values that the service leaves out stay as they were.
    func listed(as newer: SourceAlbum, account: Int64) -> AlbumRow {
        var row = AlbumRow(id: id, accountID: account, album: newer)
        row.album.artworkURL = newer.artworkURL ?? album.artworkURL
        row.album.releaseDate = newer.releaseDate ?? album.releaseDate
        row.album.trackCount = newer.trackCount ?? album.trackCount
        row.album.genres = GenreList.genres(in: GenreList.text(newer.genres))
        if row.album.genres.isEmpty { row.album.genres = album.genres }
        row.album.addedAt = newer.addedAt ?? album.addedAt
        return row
    }

    /// Whether any value differs by which people recognize an album.
    func differsNoticeably(from other: AlbumRow) -> Bool {
        (album.name, album.artist, album.releaseDate, album.trackCount)
            != (other.album.name, other.album.artist, other.album.releaseDate, other.album.trackCount)
    }
}

extension AlbumStore where Access == WriteTransaction {
    /// Writes a page of saved albums.
    package func storeAlbums(
        _ albums: [SourceAlbum], by scan: SourceScan, isWhole: Bool, now: Timestamp
    ) throws -> PageEffect {
        _ = try transaction.library.accounts(of: scan)
        var writes = try transaction.library.beginWrites(by: scan, now: now)
        var effect = PageEffect(found: albums.count)
        let known = try albumRows(albums.map(\.sourceID), of: scan)
        var ids: [Int64] = []
        var seen: Set<String> = []
        for album in albums where seen.insert(album.sourceID).inserted {
            if let before = known[album.sourceID] {
                ids.append(before.id)
                let after = before.listed(as: album, account: scan.accountID)
                guard after != before else { continue }
                try updateAlbum(after, of: scan, now: now)
                writes.isChanged = true
                let hasReturned = before.missingSince != nil
                if hasReturned || after.album != before.album { effect.changed += 1 }
                if hasReturned || after.differsNoticeably(from: before) {
                    writes.logChange(
                        hasReturned ? .returned : .changed, .albums, after.id, of: scan.source, title: album.name)
                }
            } else {
                let row = AlbumRow(id: writes.nextKey(), accountID: scan.accountID, album: album)
                ids.append(row.id)
                try insertAlbum(row, of: scan, now: now)
                effect.added += 1
                writes.counts.albums += 1
                writes.logChange(.added, .albums, row.id, of: scan.source, title: album.name)
            }
        }
        if isWhole { try transaction.scans.markSeen(.albums, ids, by: scan) }
        try transaction.library.finishWrites(writes)
        return effect
    }

    private func albumRows(_ sourceIDs: [String], of scan: SourceScan) throws -> [String: AlbumRow] {
        var found: [String: AlbumRow] = [:]
        for part in sourceIDs.inParts {
            try transaction.forEachRow(
                """
                SELECT \(AlbumRow.columns) FROM library_albums
                WHERE library_id = \(scan.libraryID) AND source = \(scan.source.number)
                    AND source_id IN (\(list: part))
                """
            ) {
                let row = try AlbumRow($0)
                found[row.album.sourceID] = row
                return .continue
            }
        }
        return found
    }

    private func insertAlbum(_ row: AlbumRow, of scan: SourceScan, now: Timestamp) throws {
        let album = row.album
        try transaction.run(
            """
            INSERT INTO library_albums (id, library_id, source, account_id, source_id, name, artist, name_key,
                artist_key, artwork, release_date, track_count, genres, added_at, missing_since, synced_at)
            VALUES (\(row.id), \(scan.libraryID), \(scan.source.number), \(row.accountID), \(album.sourceID),
                \(album.name), \(album.artist), \(LibrarySortKey.sortKey(album.name)),
                \(LibrarySortKey.sortKey(album.artist)), \(album.artworkURL), \(album.releaseDate?.text),
                \(album.trackCount), \(GenreList.text(album.genres)), \(album.addedAt), \(row.missingSince), \(now))
            """)
    }

    private func updateAlbum(_ row: AlbumRow, of scan: SourceScan, now: Timestamp) throws {
        let album = row.album
        try transaction.run(
            """
            UPDATE library_albums
            SET account_id = \(row.accountID), name = \(album.name), artist = \(album.artist),
                name_key = \(LibrarySortKey.sortKey(album.name)), artist_key = \(LibrarySortKey.sortKey(album.artist)),
                artwork = \(album.artworkURL), release_date = \(album.releaseDate?.text),
                track_count = \(album.trackCount), genres = \(GenreList.text(album.genres)),
                added_at = \(album.addedAt), missing_since = \(row.missingSince), synced_at = \(now)
            WHERE library_id = \(scan.libraryID) AND id = \(row.id)
            """)
    }
}
