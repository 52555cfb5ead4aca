extension Migration {
    /// Secrets that only workers can open, and which of them can.
    static let sealedForWorkers = Migration(
        number: 22, name: "sealed for workers",
        statements: [
            // By the worker's name; the ids of its vault keys with spaces between, none while it cannot read them.
            """
            CREATE TABLE vault_readers (
                worker TEXT NOT NULL PRIMARY KEY,
                key_ids TEXT NOT NULL,
                updated_at BIGINT NOT NULL
            ) \(Dialect.clusteredByPrimaryKey)
            """
        ])
}
