import Library
import Model
import Storage

extension ImportStore {
    /// - Returns: the given items that another import added as well.
    func others(
        than id: LibraryID, brought item: String, _ ids: some Sequence<Int64>, userID: String
    ) throws -> Set<Int64> {
        Set(
            try transaction.map(
                """
                SELECT item_id FROM library_import_items
                WHERE user_id = \(userID) AND item = \(item) AND item_id IN (\(list: Array(ids)))
                    AND import_id <> \(id.key)
                """
            ) { try $0["item_id"] as Int64 })
    }
}

extension ImportStore where Access == WriteTransaction {
    /// Marks an import to be undone (``LibraryImportRemoval``).
    ///
    /// - Returns: whether anything has to be removed; `false` for an import that is already undone.
    /// - Throws: ``LibraryImportRefusal``.
    package func undo(_ id: LibraryID, userID: String) throws -> Bool {
        guard let one = try one(id, userID: userID) else { throw LibraryImportRefusal.noImport }
        switch one.state {
        case .undone: return false
        case .undoing: return true
        case .queued, .running: throw LibraryImportRefusal.notEnded
        case .complete, .failed: break
        }
        guard
            try transaction.row(
                """
                SELECT 1 FROM library_imports
                WHERE user_id = \(userID) AND id = \(id.key) AND pruning_since IS NULL
                """) != nil
        else { throw LibraryImportRefusal.tooOld }
        try transaction.run(
            """
            UPDATE library_imports SET state = 'undoing', change = \(try transaction.nextChange())
            WHERE user_id = \(userID) AND id = \(id.key)
            """)
        transaction.recordChange(of: [userID], topic: .libraryImports)
        return true
    }

    /// Removes some of what an import added and no other import did.
    func removeStep(of id: LibraryID, userID: String, now: Timestamp) throws {
        let items = try transaction.map(
            """
            SELECT item, item_id FROM library_import_items
            WHERE user_id = \(userID) AND import_id = \(id.key) ORDER BY item, item_id LIMIT 20
            """
        ) { (kind: try $0["item"] as String, id: try $0["item_id"] as Int64) }
        guard let kind = items.first?.kind, let library = try transaction.library.libraryID(ofUser: userID) else {
            return
        }
        let ids = items.filter { $0.kind == kind }.map(\.id)
        let shared = try others(than: id, brought: kind, ids, userID: userID)
        let own = ids.filter { !shared.contains($0) }
        var isComplete = true
        switch kind {
        case "playlist":
            isComplete = try transaction.playlists.removeImported(
                playlists: own, library: library, userID: userID, now: now)
        case "knownPlaylist": break
        default: try transaction.tracks.removeImported(tracks: own, library: library, userID: userID, now: now)
        }
        guard isComplete else { return }
        try transaction.run(
            """
            DELETE FROM library_import_items
            WHERE user_id = \(userID) AND import_id = \(id.key) AND item = \(kind) AND item_id IN (\(list: ids))
            """)
    }
}
