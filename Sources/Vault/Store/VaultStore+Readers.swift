import Model
import Storage

extension VaultStore {
    /// The reports of the given workers.
    package func readers(among workers: Set<String>) throws -> [VaultReader] {
        try transaction.rows("SELECT worker, key_ids FROM vault_readers ORDER BY worker").compactMap { row in
            let worker: String = try row["worker"]
            guard workers.contains(worker) else { return nil }
            let keyIDs: String = try row["key_ids"]
            return VaultReader(worker: worker, keyIDs: Set(keyIDs.split(separator: " ").map(String.init)))
        }
    }
}

extension VaultStore where Access == WriteTransaction {
    /// Stores a worker's report in place of the earlier one of the same name.
    package func putReader(_ reader: VaultReader, now: Timestamp) throws {
        let keyIDs = reader.keyIDs.sorted().joined(separator: " ")
        try transaction.run(
            """
            INSERT INTO vault_readers (worker, key_ids, updated_at) VALUES (\(reader.worker), \(keyIDs), \(now))
            ON CONFLICT (worker) DO UPDATE SET key_ids = excluded.key_ids, updated_at = excluded.updated_at
            """)
    }
}
