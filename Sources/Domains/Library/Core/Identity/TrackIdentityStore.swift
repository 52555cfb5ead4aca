import Identity
import Model
import Storage

/// Which source tracks are one track: identity keys, decisions, likely duplicates, and the ids of merged tracks. Read or
/// written in a transaction: `transaction.trackIdentity`.
package struct TrackIdentityStore<Access: SQLReader> {
    package let transaction: Access
}

extension SQLReader {
    package var trackIdentity: TrackIdentityStore<Self> { TrackIdentityStore(transaction: self) }
}

extension TrackIdentityStore {
    /// The track that a user's id refers to: its own track, or the one that it was merged into.
    ///
    /// - Returns: `nil` if the library does not know the id.
    package func survivor(of id: LibraryID, userID: String) throws -> LibraryID? {
        guard let library = try transaction.library.libraryID(ofUser: userID) else { return nil }
        return try survivor(of: id.key, library: library).map { LibraryID(key: $0) }
    }

    /// Like ``survivor(of:userID:)``, with the keys of the track and of the library.
    package func survivor(of id: Int64, library: Int64) throws -> Int64? {
        let own = try transaction.row("SELECT id FROM library_tracks WHERE id = \(id) AND +library_id = \(library)")
        if own != nil { return id }
        return try transaction.row(
            "SELECT track_id FROM library_former_tracks WHERE id = \(id) AND +library_id = \(library)"
        )?["track_id"]
    }

    /// The given tracks, or those that they were merged into, by the requested keys. Unknown keys are left out.
    package func survivors(of ids: [Int64], library: Int64) throws -> [Int64: Int64] {
        var found: [Int64: Int64] = [:]
        for part in ids.inParts {
            let present: [Int64] = try transaction.map(
                "SELECT id FROM library_tracks WHERE +library_id = \(library) AND id IN (\(list: part))"
            ) { try $0["id"] }
            for id in present { found[id] = id }
            let merged = part.filter { found[$0] == nil }
            guard !merged.isEmpty else { continue }
            try transaction.forEachRow(
                """
                SELECT id, track_id FROM library_former_tracks
                WHERE +library_id = \(library) AND id IN (\(list: merged))
                """
            ) {
                found[try $0["id"]] = try $0["track_id"] as Int64
                return .continue
            }
        }
        return found
    }

    // MARK: Rules

    /// Whether a remaster is the same song as the original for a user. By default it is, as services treat it.
    package func remastersAreSame(userID: String) throws -> Bool {
        let differ: Bool? = try transaction.row(
            "SELECT remasters_differ FROM libraries WHERE user_id = \(userID)")?["remasters_differ"]
        return !(differ ?? false)
    }

    /// The rules that a user's library follows, with their setting.
    package func rules(ofLibrary library: Int64) throws -> IdentityRules {
        let differ: Bool =
            try transaction.row("SELECT remasters_differ FROM libraries WHERE id = \(library)")?["remasters_differ"]
            ?? false
        return IdentityRules(remastersAreSame: !differ)
    }
}
