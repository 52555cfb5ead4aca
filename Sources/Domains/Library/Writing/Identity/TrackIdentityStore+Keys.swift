import Identity
import Library
import Storage

private let insertKey = ConstantSQL(
    """
    INSERT INTO library_identity_keys (library_id, identity_key, source_track_id) VALUES (?, ?, ?)
    ON CONFLICT (library_id, identity_key, source_track_id) DO NOTHING
    """)

private let deleteKey = ConstantSQL(
    "DELETE FROM library_identity_keys WHERE library_id = ? AND identity_key = ? AND source_track_id = ?")

extension TrackIdentityStore where Access == WriteTransaction {
    /// Makes a source track a candidate for those that share a key with it.
    func insertKeys(_ keys: [Int64], of sourceTrack: Int64, library: Int64) throws {
        for key in keys {
            try transaction.run(insertKey, [library.sqlValue, key.sqlValue, sourceTrack.sqlValue])
        }
    }

    func deleteKeys(_ keys: [Int64], of sourceTrack: Int64, library: Int64) throws {
        for key in keys {
            try transaction.run(deleteKey, [library.sqlValue, key.sqlValue, sourceTrack.sqlValue])
        }
    }

    /// Replaces the keys of a source track whose names changed.
    func replaceKeys(_ former: [Int64], by keys: [Int64], of sourceTrack: Int64, library: Int64) throws {
        guard former != keys else { return }
        try deleteKeys(former.filter { !keys.contains($0) }, of: sourceTrack, library: library)
        try insertKeys(keys.filter { !former.contains($0) }, of: sourceTrack, library: library)
    }
}
