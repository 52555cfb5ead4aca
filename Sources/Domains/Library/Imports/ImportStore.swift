import Library
import LibraryWriting
import Model
import Storage

/// The SQL of imports, read or written in a transaction: `transaction.imports`.
package struct ImportStore<Access: SQLReader> {
    let transaction: Access
}

extension SQLReader {
    package var imports: ImportStore<Self> { ImportStore(transaction: self) }
}

extension ChangeTopic {
    /// Users' imports.
    package static let libraryImports = ChangeTopic("library imports")
}

/// The maximum number of skipped rows that are stored per import.
package let mostKeptSkips = 1_000

extension LibraryImport {
    /// A playlist was created after the import began if its key is higher than the import's, since keys are assigned in
    /// ascending order.
    fileprivate static let columns: SQL = """
        id, filename, file, bytes, kind, state, rows_new, rows_joined, rows_skipped, error, created_at, finished_at,
        change, CASE WHEN EXISTS (
            SELECT 1 FROM library_import_items AS items
            WHERE items.user_id = library_imports.user_id AND items.import_id = library_imports.id
                AND items.item = 'playlist' AND items.item_id > library_imports.id
        ) THEN 1 ELSE 0 END AS has_new_playlists, (
            SELECT COUNT(*) FROM library_import_items AS items
            WHERE items.user_id = library_imports.user_id AND items.import_id = library_imports.id
                AND items.item = 'knownPlaylist'
        ) AS known_playlists
        """

    fileprivate init(_ row: Row) throws {
        let state: String = try row["state"]
        guard let state = State(rawValue: state) else {
            throw StorageError.column(name: "state", found: "another text", wanted: "a state of an import")
        }
        self.init(
            id: LibraryID(key: try row["id"]), filename: try row["filename"], file: try row["file"],
            bytes: try row["bytes"], kind: try row["kind"], state: state,
            counts: Counts(
                new: try row["rows_new"], joined: try row["rows_joined"], skipped: try row["rows_skipped"]),
            error: try row["error"], createdAt: try row["created_at"], finishedAt: try row["finished_at"],
            change: try row["change"], hasNewPlaylists: try row["has_new_playlists"] == 1,
            knownPlaylists: try row["known_playlists"])
    }
}

extension ImportStore {
    package func one(_ id: LibraryID, userID: String) throws -> LibraryImport? {
        try transaction.row(
            "SELECT \(LibraryImport.columns) FROM library_imports WHERE user_id = \(userID) AND id = \(id.key)"
        ).map(LibraryImport.init)
    }

    /// A user's imports, latest first.
    package func all(userID: String, limit: Int) throws -> [LibraryImport] {
        try transaction.map(
            """
            SELECT \(LibraryImport.columns) FROM library_imports
            WHERE user_id = \(userID) ORDER BY id DESC LIMIT \(limit)
            """, LibraryImport.init)
    }

    package func changed(userID: String, after change: Int64, limit: Int) throws -> [LibraryImport] {
        try transaction.map(
            """
            SELECT \(LibraryImport.columns) FROM library_imports
            WHERE user_id = \(userID) AND change > \(change) ORDER BY change LIMIT \(limit)
            """, LibraryImport.init)
    }

    /// The first rows that were not imported.
    package func skips(of id: LibraryID, userID: String) throws -> [LibraryImport.Skip] {
        try transaction.map(
            """
            SELECT line, reason FROM library_import_skips
            WHERE user_id = \(userID) AND import_id = \(id.key) ORDER BY number LIMIT \(mostKeptSkips)
            """
        ) { LibraryImport.Skip(line: try $0["line"], reason: try $0["reason"]) }
    }

    /// Whether anything is left of what an import added, or recorded as known.
    func hasItems(_ id: LibraryID, userID: String) throws -> Bool {
        try transaction.row(
            "SELECT 1 AS found FROM library_import_items WHERE user_id = \(userID) AND import_id = \(id.key) LIMIT 1"
        ) != nil
    }

    /// Whether an import has recorded that it added an item.
    func has(_ item: String, _ itemID: Int64, of id: LibraryID, userID: String) throws -> Bool {
        try transaction.row(
            """
            SELECT 1 AS found FROM library_import_items
            WHERE user_id = \(userID) AND import_id = \(id.key) AND item = \(item) AND item_id = \(itemID)
            """) != nil
    }

    /// Whether a file still has to be read.
    package func needs(file: String) throws -> Bool {
        try transaction.row(
            "SELECT 1 AS found FROM library_imports WHERE file = \(file) AND state IN ('queued', 'running') LIMIT 1"
        ) != nil
    }

    /// The names of the files of a user's latest imports, which may still be in the folder.
    package func files(userID: String) throws -> Set<String> {
        Set(
            try transaction.map(
                "SELECT file FROM library_imports WHERE user_id = \(userID) ORDER BY id DESC LIMIT 20"
            ) { try $0["file"] as String })
    }

    /// How much the user's library contains from files.
    func used(userID: String) throws -> ImportQuota.Use {
        guard let library = try transaction.library.libraryID(ofUser: userID) else { return ImportQuota.Use() }
        let accounts: SQL = """
            (SELECT id FROM library_accounts WHERE library_id = \(library) AND account = \(accountOfFiles))
            """
        // This reads every row of the library, once per run: one second per million rows.
        let songs = try transaction.row(
            """
            SELECT COUNT(*) AS rows_kept, CAST(COALESCE(SUM(LENGTH(title) + LENGTH(artist) + LENGTH(album)
                + COALESCE(LENGTH(album_artist), 0) + COALESCE(LENGTH(composer), 0) + COALESCE(LENGTH(genres), 0)
                + COALESCE(LENGTH(artwork), 0)), 0) AS BIGINT) AS characters
            FROM library_source_tracks WHERE library_id = \(library) AND account_id IN \(accounts)
            """)
        let entries = try use(ofPlaylists: "library_id = \(library) AND account_id IN \(accounts)")
        return ImportQuota.Use(
            rows: try (songs?["rows_kept"] ?? 0) + entries.rows,
            characters: try (songs?["characters"] ?? 0) + entries.characters)
    }

    /// How much the user's library contains of a playlist from a file.
    func use(ofPlaylist sourceID: String, of source: MusicSource, userID: String) throws -> ImportQuota.Use {
        guard let library = try transaction.library.libraryID(ofUser: userID) else { return ImportQuota.Use() }
        return try use(
            ofPlaylists: "library_id = \(library) AND source = \(source.number) AND source_id = \(sourceID)")
    }

    private func use(ofPlaylists condition: SQL) throws -> ImportQuota.Use {
        let row = try transaction.row(
            """
            SELECT CAST(COALESCE(SUM(entry_count), 0) AS BIGINT) AS rows_kept,
                CAST(COALESCE(SUM((
                    SELECT CAST(SUM(LENGTH(e.title)) AS BIGINT) FROM library_playlist_entries e
                    WHERE e.playlist_id = library_playlists.id AND e.version = library_playlists.entries_version)), 0)
                    AS BIGINT) AS characters
            FROM library_playlists WHERE \(condition)
            """)
        return ImportQuota.Use(rows: try row?["rows_kept"] ?? 0, characters: try row?["characters"] ?? 0)
    }

    /// Whether the user has an import that has not ended.
    package func isRunning(userID: String) throws -> Bool {
        try transaction.row(
            """
            SELECT 1 AS found FROM library_imports
            WHERE user_id = \(userID) AND state IN ('queued', 'running', 'undoing') LIMIT 1
            """) != nil
    }
}

extension ImportStore where Access == WriteTransaction {
    /// Starts an import of a file that was received.
    ///
    /// - Throws: ``LibraryImportRefusal/isRunning``.
    package func begin(
        filename: String, file: String, bytes: Int, userID: String, now: Timestamp
    ) throws -> LibraryImport {
        guard try !isRunning(userID: userID) else { throw LibraryImportRefusal.isRunning }
        let id = LibraryID(key: try transaction.library.nextKey(now: now))
        try transaction.run(
            """
            INSERT INTO library_imports (user_id, id, filename, file, bytes, state, rows_new, rows_joined, rows_skipped,
                created_at, change)
            VALUES (\(userID), \(id.key), \(filename), \(file), \(bytes), 'queued', 0, 0, 0, \(now),
                \(try transaction.nextChange()))
            """)
        transaction.recordChange(of: [userID], topic: .libraryImports)
        guard let made = try one(id, userID: userID) else { throw LibraryImportRefusal.noImport }
        return made
    }

    /// Records the progress of an import.
    func recordProgress(_ counts: LibraryImport.Counts, kind: String, of id: LibraryID, userID: String) throws {
        try transaction.run(
            """
            UPDATE library_imports
            SET state = 'running', kind = \(kind), rows_new = \(counts.new), rows_joined = \(counts.joined),
                rows_skipped = \(counts.skipped), change = \(try transaction.nextChange())
            WHERE user_id = \(userID) AND id = \(id.key)
            """)
        transaction.recordChange(of: [userID], topic: .libraryImports)
    }

    /// - Parameter number: the number of the first row, counted from 0.
    func recordSkips(_ skips: [LibraryImport.Skip], from number: Int, of id: LibraryID, userID: String) throws {
        for (index, skip) in skips.prefix(max(0, mostKeptSkips - number)).enumerated() {
            try transaction.run(
                """
                INSERT INTO library_import_skips (user_id, import_id, number, line, reason)
                VALUES (\(userID), \(id.key), \(number + index), \(skip.line), \(skip.reason)) ON CONFLICT DO NOTHING
                """)
        }
    }

    /// Records what an import added, so that it can be undone (``removeStep(of:userID:now:)``).
    ///
    /// Items that existed before it and that no other import is known to have added are kept permanently: the import
    /// that added them can no longer be undone (``prune(_:userID:limit:at:)``). Keys are assigned in ascending order,
    /// so the items that this import created have higher keys than the import.
    func recordItems(_ item: String, _ ids: [Int64], of id: LibraryID, userID: String) throws {
        var known: Set<Int64> = []
        for part in ids.filter({ $0 <= id.key }).inParts {
            known.formUnion(try others(than: id, brought: item, part, userID: userID))
        }
        for itemID in ids where itemID > id.key || known.contains(itemID) {
            try transaction.run(
                """
                INSERT INTO library_import_items (user_id, import_id, item, item_id)
                VALUES (\(userID), \(id.key), \(item), \(itemID)) ON CONFLICT DO NOTHING
                """)
        }
    }

    /// Records a playlist of the file that the library already has. Undoing the import leaves it, unless it belongs to
    /// another import: then it is kept with its songs until both are undone.
    func recordKnown(playlist: Int64, of id: LibraryID, userID: String) throws {
        try transaction.run(
            """
            INSERT INTO library_import_items (user_id, import_id, item, item_id)
            VALUES (\(userID), \(id.key), 'knownPlaylist', \(playlist)) ON CONFLICT DO NOTHING
            """)
        guard try !others(than: id, brought: "playlist", [playlist], userID: userID).isEmpty else { return }
        try transaction.run(
            """
            INSERT INTO library_import_items (user_id, import_id, item, item_id)
            VALUES (\(userID), \(id.key), 'playlist', \(playlist)) ON CONFLICT DO NOTHING
            """)
        // The entries refer to the other import's source tracks, even if this file contains the same songs.
        try transaction.run(
            """
            INSERT INTO library_import_items (user_id, import_id, item, item_id)
            SELECT user_id, CAST(\(id.key) AS BIGINT), item, item_id FROM library_import_items
            WHERE user_id = \(userID) AND item = 'track' AND import_id <> \(id.key) AND item_id IN (
                SELECT entries.source_track_id
                FROM library_playlists AS lists JOIN library_playlist_entries AS entries
                    ON entries.playlist_id = lists.id AND entries.version = lists.entries_version
                WHERE lists.id = \(playlist) AND entries.source_track_id IS NOT NULL)
            ON CONFLICT DO NOTHING
            """)
    }

    /// Ends an import. Has no effect if it has already ended.
    package func end(
        _ id: LibraryID, as state: LibraryImport.State, error: String? = nil, userID: String, now: Timestamp
    ) throws {
        let changed = try transaction.execute(
            """
            UPDATE library_imports
            SET state = \(state.rawValue), error = \(error), finished_at = \(now), change = \(try transaction.nextChange())
            WHERE user_id = \(userID) AND id = \(id.key) AND state IN ('queued', 'running', 'undoing')
            """)
        if changed > 0 { transaction.recordChange(of: [userID], topic: .libraryImports) }
    }
}
