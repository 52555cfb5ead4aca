import Model

extension Database {
    /// Migrates the schema to ``Migration/latest``. Each migration is a transaction of its own.
    ///
    /// - Returns: the names of the migrations that were applied.
    /// - Throws: ``StorageError``; `schemaTooNew` when a later version has migrated the file.
    @discardableResult
    package func migrate() async throws -> [String] {
        try await write { try $0.execute(Migration.record) }
        var made: [String] = []
        let found = try await schemaVersion()
        guard found <= Migration.latest else {
            throw StorageError.schemaTooNew(found: found, known: Migration.latest)
        }
        for migration in Migration.all where migration.number > found {
            if try await write({ try $0.apply(migration) }) { made.append(migration.name) }
        }
        return made
    }

    /// The number of the last applied migration; 0 for a new file.
    package func schemaVersion() async throws -> Int {
        try await read { try $0.schemaVersion() }
    }

    /// Waits until another process has migrated an older schema. For workers.
    ///
    /// - Parameter onWait: called once with the present version if it has to wait.
    /// - Throws: ``StorageError/schemaTooNew(found:known:)`` for a newer schema, or `CancellationError`.
    package func waitForSchema(onWait: @Sendable (Int) -> Void) async throws {
        var hasWaited = false
        while true {
            let found = try await schemaVersion()
            if found == Migration.latest { return }
            guard found < Migration.latest else {
                throw StorageError.schemaTooNew(found: found, known: Migration.latest)
            }
            if !hasWaited {
                hasWaited = true
                onWait(found)
            }
            try await Task.sleep(for: .milliseconds(200))
        }
    }
}

extension WriteTransaction {
    /// Runs a migration and records it.
    ///
    /// - Returns: `false` when it was applied before, perhaps by another process.
    func apply(_ migration: Migration) throws -> Bool {
        guard try row("SELECT 1 FROM schema_migrations WHERE number = \(migration.number)") == nil else { return false }
        for statement in migration.statements { try execute(statement) }
        try execute(
            """
            INSERT INTO schema_migrations (number, name, applied_at)
            VALUES (\(migration.number), \(migration.name), \(Timestamp.now()))
            """)
        return true
    }
}

extension SQLReader {
    /// The number of the last applied migration; 0 for a file without migrations.
    package func schemaVersion() throws -> Int {
        guard try row(Dialect.tableExists("schema_migrations")) != nil else { return 0 }
        return try row("SELECT COALESCE(MAX(number), 0) AS number FROM schema_migrations")?["number"] ?? 0
    }
}
