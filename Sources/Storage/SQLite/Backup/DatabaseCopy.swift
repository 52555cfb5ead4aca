import Foundation

/// A complete copy of a database in one file, checked after writing.
package struct DatabaseCopy: Sendable, Equatable {
    package let schema: Int
    package let bytes: Int64
    package let users: Int
    package let jobs: Int

    /// Writes a snapshot of the database at `source` to a new file of mode 0600, durably.
    ///
    /// `VACUUM INTO` reads in one read transaction: the writers of all processes continue, and the copy does not
    /// contain what they commit meanwhile. It neither writes to the source nor checkpoints it, so it needs no write
    /// lock and is not affected by the WAL-reset bug (``WriteLock``). The copy contains no remains of deleted rows.
    ///
    /// - Throws: ``BackupError`` or ``StorageError``; then `destination` is removed.
    static func make(of source: String, at destination: String, schema: Schema) async throws -> DatabaseCopy {
        let descriptor = open(destination, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard descriptor >= 0 else { throw cannotWrite(destination) }
        defer { close(descriptor) }
        do {
            let database = try ReadOnlyDatabase.open(path: source)
            defer { database.close() }
            do {
                try await database.run(.onlySQLite("VACUUM INTO \(destination)"))
            } catch StorageError.corrupt(let message) {
                throw BackupError.damaged(path: source, findings: [message])
            }
            guard fsync(descriptor) == 0 else { throw cannotWrite(destination) }
            return try await check(destination, schema: schema)
        } catch {
            unlink(destination)
            throw error
        }
    }

    /// Checks that a file is an intact Backline database with a schema that this program knows. Reads the whole file.
    ///
    /// - Parameter schema: the schema of this program.
    /// - Throws: ``BackupError``, ``StorageError``.
    package static func check(_ path: String, schema: Schema) async throws -> DatabaseCopy {
        var status = stat()
        guard stat(path, &status) == 0 else { throw BackupError.missing(path: path) }
        let database: ReadOnlyDatabase
        do {
            database = try ReadOnlyDatabase.open(path: path)
        } catch StorageError.corrupt(let message) {
            guard hasHeader(path) else { throw BackupError.notADatabase(path: path) }
            throw BackupError.damaged(path: path, findings: [message])
        }
        defer { database.close() }
        let bytes = Int64(status.st_size)
        do {
            return try await database.read { try read($0, path: path, bytes: bytes, schema: schema) }
        } catch StorageError.corrupt(let message) {
            throw BackupError.damaged(path: path, findings: [message])
        }
    }

    /// Whether the file begins with SQLite's header (sqlite.org/fileformat2.html, section 1.3).
    private static func hasHeader(_ path: String) -> Bool {
        let start = try? FileHandle(forReadingAtPath: path)?.read(upToCount: 16)
        return start == Data("SQLite format 3\0".utf8)
    }

    private static func read(
        _ reader: ReadTransaction, path: String, bytes: Int64, schema: Schema
    ) throws -> DatabaseCopy {
        let findings = try reader.damages(limit: 3)
        guard findings.isEmpty else { throw BackupError.damaged(path: path, findings: findings) }
        let missing: [Migration]
        do {
            missing = try reader.missingMigrations(of: schema)
        } catch StorageError.schemaTooNew(let found, let known) {
            throw BackupError.schemaTooNew(path: path, found: found, known: known)
        } catch StorageError.schemaUnreleased {
            throw BackupError.schemaUnreleased(path: path)
        } catch StorageError.schemaInconsistent {
            throw BackupError.notBackline(path: path)
        }
        let version = schema.version - missing.count
        guard version > 0 else { throw BackupError.notBackline(path: path) }
        return DatabaseCopy(
            schema: version, bytes: bytes, users: try count(of: "users", in: reader),
            jobs: try count(of: "jobs", in: reader))
    }

    /// The number of rows of a table; 0 while the migration that makes the table is missing.
    private static func count(of table: StaticString, in reader: ReadTransaction) throws -> Int {
        guard try reader.row(Dialect.tableExists(table.description)) != nil else { return 0 }
        return try reader.row("SELECT COUNT(*) AS count FROM \(trusted: table)")?["count"] ?? 0
    }

    static func cannotWrite(_ path: String) -> BackupError {
        .cannotWrite(path: path, reason: String(cString: strerror(errno)))
    }
}

extension ReadTransaction {
    /// The first `limit` errors of SQLite's integrity and foreign key checks; empty for an intact file. Reads the whole
    /// file.
    package func damages(limit: Int) throws -> [String] {
        let answers: [String] = try rows(.onlySQLite("PRAGMA integrity_check")).map {
            try $0["integrity_check"]
        }
        if answers != ["ok"] { return Array(answers.prefix(limit)) }
        return try rows(.onlySQLite("PRAGMA foreign_key_check")).prefix(limit).map {
            "a row of \(try $0["table"] as String) references a missing row of \(try $0["parent"] as String)"
        }
    }
}
