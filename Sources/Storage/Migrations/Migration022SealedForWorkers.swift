extension Migration {
    /// The vault keys that each worker has.
    static let sealedForWorkers = Migration(
        number: 22, name: "sealed for workers",
        statements: [
            // `key_ids` has the ids of the worker's keys, separated by spaces; empty while it cannot read them.
            """
            CREATE TABLE vault_readers (
                worker TEXT NOT NULL PRIMARY KEY,
                key_ids TEXT NOT NULL,
                updated_at BIGINT NOT NULL
            ) \(Dialect.clusteredByPrimaryKey)
            """
        ])
}
