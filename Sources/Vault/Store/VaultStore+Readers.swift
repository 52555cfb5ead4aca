import Model
import Storage

extension VaultStore {
    /// What workers have said of themselves, as far as they are among `workers`.
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
    /// Puts what a worker says in the place of what it, or one of its name, said before.
    package func putReader(_ reader: VaultReader, now: Timestamp) throws {
        let keyIDs = reader.keyIDs.sorted().joined(separator: " ")
        try transaction.execute(
            """
            INSERT INTO vault_readers (worker, key_ids, updated_at) VALUES (\(reader.worker), \(keyIDs), \(now))
            ON CONFLICT (worker) DO UPDATE SET key_ids = excluded.key_ids, updated_at = excluded.updated_at
            """)
    }
}
