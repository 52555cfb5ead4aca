import Library
import Model
import Storage

/// The parts of a change log entry that its deletion needs.
private struct ChangeLogEntry {
    let id: Int64
    let itemID: Int64
    /// The version of a playlist's entries that was replaced. Only this change refers to it.
    let entriesVersion: Int64?

    init(_ row: Row) throws {
        id = try row["id"]
        itemID = try row["item_id"]
        entriesVersion = try row["entries_version"]
    }
}

extension LibraryChangeStore {
    /// Libraries in the order of their keys, each with the time of its earliest change.
    ///
    /// - Parameter id: the key to start after; 0 starts with the first library.
    package func earliestChanges(
        afterLibrary id: Int64, limit: Int
    ) throws -> [(libraryID: Int64, at: Timestamp?)] {
        try transaction.map(
            """
            SELECT id, (SELECT MIN(at) FROM library_changes WHERE library_id = libraries.id) AS earliest
            FROM libraries WHERE id > \(id) ORDER BY id LIMIT \(limit)
            """
        ) { (try $0["id"], try $0["earliest"]) }
    }
}

extension LibraryChangeStore where Access == WriteTransaction {
    /// Deletes some of the earliest changes of a library, with the playlist entries that they replaced. Must be called
    /// until it returns 0; after a crash, the next call continues.
    ///
    /// - Parameters:
    ///   - cutoff: changes at this time or later are kept.
    ///   - limit: the maximum number of rows per step.
    /// - Returns: the number of deleted rows; 0 if none are left.
    package func pruneHistory(ofLibrary library: Int64, before cutoff: PruningTime, limit: Int) throws -> Int {
        try deleteChanges("at < \(cutoff.moment) ORDER BY at, id", ofLibrary: library, limit: limit)
    }

    /// Deletes some changes of a library, with the playlist entries that they replaced.
    ///
    /// - Parameters:
    ///   - selection: a condition on the changes, with their order.
    ///   - limit: the maximum number of rows to delete.
    /// - Returns: the number of deleted rows; 0 if none are left.
    func deleteChanges(_ selection: SQL, ofLibrary library: Int64, limit: Int) throws -> Int {
        let limit = max(1, limit)
        let changes = try transaction.map(
            """
            SELECT id, item_id, entries_version FROM library_changes
            WHERE library_id = \(library) AND \(selection) LIMIT \(limit)
            """, ChangeLogEntry.init)
        var room = limit
        var gone: [Int64] = []
        for change in changes where room > 0 {
            if let version = change.entriesVersion {
                room -= try transaction.playlists.deleteReplacedEntries(
                    of: change.itemID, version: version, library: library, limit: room)
                // The change is deleted after the last of its entries, since nothing else refers to them.
                guard room > 0 else { break }
            }
            gone.append(change.id)
            room -= 1
        }
        for part in gone.inParts {
            try transaction.run(
                "DELETE FROM library_changes WHERE library_id = \(library) AND id IN (\(list: part))")
        }
        // The state of the library has changed, which the cached totals of lists depend on.
        if !gone.isEmpty {
            try transaction.run(
                "UPDATE libraries SET change = \(try transaction.nextChange()) WHERE id = \(library)")
        }
        return limit - room
    }
}
