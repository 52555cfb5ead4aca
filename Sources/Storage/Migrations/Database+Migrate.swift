import Model

private let newestMigration = ConstantSQL("SELECT MAX(number) AS number FROM schema_migrations")

extension Database {
    /// Migrates the schema to ``Migration/latest``. Each migration runs in a transaction of its own.
    ///
    /// - Returns: the names of the migrations that were applied.
    /// - Throws: ``StorageError``; `schemaTooNew` if a later version has migrated the file.
    @discardableResult
    package func migrate() async throws -> [String] {
        try await write { try $0.run(Migration.record) }
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

    /// Migrates the schema for a command, which may run beside a gateway.
    ///
    /// - Throws: ``GatewayRunning`` if a migration is missing while a gateway runs, which would not know the new
    ///   schema. Otherwise like ``migrate()``.
    package func migrateForCommand() async throws -> [String] {
        guard try await schemaVersion() != Migration.latest else { return [] }
        try await lockForGateway()
        return try await migrate()
    }

    /// The number of the last applied migration; 0 for a new file.
    package func schemaVersion() async throws -> Int {
        try await read { try $0.schemaVersion() }
    }

    /// Waits until another process has migrated an older schema. Used by workers.
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

    /// Never returns normally: it throws when a later version has migrated the database, or when the task is cancelled.
    /// Writes of this process are refused from that moment on; reads may misinterpret the schema until the process
    /// ends.
    ///
    /// - Throws: ``StorageError/schemaTooNew(found:known:)``, or `CancellationError`.
    package func watchSchema(every interval: Duration = .seconds(1)) async throws {
        while true {
            // Whoever needs the database reports that it cannot be read at the moment.
            if let found = try? await schemaVersion(), found > Migration.latest {
                throw StorageError.schemaTooNew(found: found, known: Migration.latest)
            }
            try await Task.sleep(for: interval)
        }
    }
}

extension WriteTransaction {
    /// Refuses to write with a schema that a later version has created while this process runs. Each transaction of the
    /// queue begins with this check.
    ///
    /// - Throws: ``StorageError/schemaTooNew(found:known:)``.
    func requireKnownSchema() throws {
        let found: Int
        do {
            found = try rows(newestMigration, []).first?["number"] ?? 0
        } catch StorageError.failed {
            // A new file has no such table.
            return
        }
        guard found <= Migration.latest else {
            throw StorageError.schemaTooNew(found: found, known: Migration.latest)
        }
    }

    /// Runs a migration and records it.
    ///
    /// - Returns: `false` if it was applied before, perhaps by another process.
    func apply(_ migration: Migration) throws -> Bool {
        guard try row("SELECT 1 FROM schema_migrations WHERE number = \(migration.number)") == nil else { return false }
        for statement in migration.statements { try run(statement) }
        try run(
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
