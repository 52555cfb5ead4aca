import Model

private let appliedMigrations = ConstantSQL("SELECT COUNT(*) AS count FROM schema_migrations")

extension Database {
    /// Migrates the database to its ``schema``. Each migration runs in a transaction of its own.
    ///
    /// - Returns: the migrations that were applied, such as `library 2 (play counts)`.
    /// - Throws: ``StorageError``; `schemaTooNew` if a later version has migrated the file.
    @discardableResult
    package func migrate() async throws -> [String] {
        let missing = try await missingMigrations()
        guard !missing.isEmpty else { return [] }
        try await write { try $0.run(Migration.recordTable) }
        var made: [String] = []
        for migration in missing {
            if try await write({ try $0.apply(migration) }) { made.append(migration.description) }
        }
        return made
    }

    /// Migrates the schema for a command, which may run beside a gateway.
    ///
    /// - Throws: ``GatewayRunning`` if a migration is missing while a gateway runs, which would not know the new
    ///   schema. Otherwise like ``migrate()``.
    package func migrateForCommand() async throws -> [String] {
        let missing = try await missingMigrations()
        guard !missing.isEmpty else { return [] }
        try await lockForGateway()
        return try await migrate()
    }

    private func missingMigrations() async throws -> [Migration] {
        try await read { [schema] in try $0.missingMigrations(of: schema) }
    }

    /// The number of applied migrations; 0 for a new file.
    ///
    /// - Throws: ``StorageError/schemaUnreleased``.
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
            let missing = try await missingMigrations()
            if missing.isEmpty { return }
            if !hasWaited {
                hasWaited = true
                onWait(schema.version - missing.count)
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
            if let found = try? await schemaVersion(), found > schema.version {
                throw StorageError.schemaTooNew(found: found, known: schema.version)
            }
            try await Task.sleep(for: interval)
        }
    }
}

extension WriteTransaction {
    /// Refuses to write with a schema that a later version has created while this process runs. Each transaction of the
    /// queue begins with this check.
    ///
    /// - Parameter schema: the schema of this program.
    /// - Throws: ``StorageError/schemaTooNew(found:known:)``.
    func requireKnown(_ schema: Schema) throws {
        let found: Int
        do {
            found = try rows(appliedMigrations, []).first?["count"] ?? 0
        } catch StorageError.failed {
            // A new file has no such table.
            return
        }
        guard found <= schema.version else {
            throw StorageError.schemaTooNew(found: found, known: schema.version)
        }
    }

    /// Runs a migration and records it.
    ///
    /// - Returns: `false` if it was applied before, perhaps by another process.
    package func apply(_ migration: Migration) throws -> Bool {
        let found = try row(
            """
            SELECT 1 FROM schema_migrations WHERE domain = \(migration.domain) AND number = \(migration.number)
            """)
        guard found == nil else { return false }
        for statement in migration.statements { try run(statement) }
        try run(
            """
            INSERT INTO schema_migrations (domain, number, name, applied_at)
            VALUES (\(migration.domain), \(migration.number), \(migration.name), \(Timestamp.now()))
            """)
        return true
    }
}

extension SQLReader {
    /// The number of applied migrations; 0 for a file without migrations.
    ///
    /// - Throws: ``StorageError/schemaUnreleased``.
    package func schemaVersion() throws -> Int {
        guard try row(Dialect.tableExists("schema_migrations")) != nil else { return 0 }
        // Unreleased versions numbered all migrations together.
        guard try row(Dialect.columnExists("domain", in: "schema_migrations")) != nil else {
            throw StorageError.schemaUnreleased
        }
        return try row("SELECT COUNT(*) AS count FROM schema_migrations")?["count"] ?? 0
    }

    /// The migrations of a program that the database lacks, in the order in which they run.
    ///
    /// - Parameter schema: the schema of the program.
    /// - Throws: ``StorageError``: `schemaTooNew`, `schemaUnreleased` or `schemaInconsistent` for a database that this
    ///   program cannot migrate.
    package func missingMigrations(of schema: Schema) throws -> [Migration] {
        guard try schemaVersion() > 0 else { return schema.migrations }
        let applied = try map("SELECT domain, number, name FROM schema_migrations") { row in
            MigrationRecord(domain: try row["domain"], number: try row["number"], name: try row["name"])
        }
        return try Migration.missing(in: Set(applied), of: schema.migrations)
    }
}
