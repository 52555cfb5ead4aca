import CommandSupport
import Foundation
import Model
import Storage

extension DoctorCheck {
    /// The schema, the write-ahead log's size and, with `--deep`, every page of the file.
    static let database = DoctorCheck("database") { context in
        let path = context.databasePath
        guard FileManager.default.fileExists(atPath: path) else {
            return [
                .problem(
                    "There is no database at \(path).",
                    "'backline migrate' creates one. If it is elsewhere, set database.path, or run this in the working "
                        + "folder of the services.")
            ]
        }
        let database: ReadOnlyDatabase
        do {
            database = try ReadOnlyDatabase.open(path: path)
        } catch StorageError.corrupt(let message) {
            return [
                .problem(
                    "The database \(path) is damaged: \(message).",
                    "Stop everything and restore a backup: backline restore FILE")
            ]
        }
        defer { database.close() }
        let findings = [
            try await schemaFinding(in: database, schema: context.schema),
            logFinding(logSize(of: path), isGatewayThere: context.processes.gateway != nil),
        ]
        guard context.isDeep else { return findings }
        do {
            return findings + soundness(try await database.read { try $0.damages(limit: 3) })
        } catch StorageError.corrupt(let message) {
            // Some kinds of damage end the check itself.
            return findings + soundness([message])
        }
    }

    private static func schemaFinding(in database: ReadOnlyDatabase, schema: Schema) async throws -> Finding {
        do {
            let missing = try await database.read { try $0.missingMigrations(of: schema) }
            return schemaFinding(schema.version - missing.count, known: schema.version)
        } catch StorageError.schemaTooNew(let found, let known) {
            return schemaFinding(found, known: known)
        } catch StorageError.schemaUnreleased {
            return .problem(
                "An unreleased version of Backline (before 0.2.0) made the database, and no release can migrate it.",
                "Export people's libraries with that version (GET /v1/library/export), move the database away, so that "
                    + "a new one is made, and import the files there.")
        } catch StorageError.schemaInconsistent(let has, let lacks) {
            return .problem(
                "The database has the migration \(has) but lacks \(lacks).",
                "Stop everything and restore a backup: backline restore FILE")
        }
    }

    static func schemaFinding(_ found: Int, known: Int) -> Finding {
        if found > known {
            return .problem(
                "The database has schema \(found), but this program knows only schemas up to \(known).",
                "Use the version of Backline that migrated it, or a later one.")
        }
        if found < known {
            return .warning(
                "The database has schema \(found), but this program needs \(known).",
                "Start this version's gateway, or run 'backline migrate'; workers wait for it.")
        }
        return .ok("The schema is \(found), as this program needs.")
    }

    /// The gateway moves the log into the database at 4 MiB, and truncates it at 64 MiB.
    static func logFinding(_ bytes: Int64, isGatewayThere: Bool) -> Finding {
        let text = "The size of the write-ahead log is \(HumanTime.bytes(bytes))."
        guard bytes > 80 << 20 else { return .ok(text) }
        let advice =
            isGatewayThere
            ? "A long read keeps it from shrinking: a backup, or another program that has the database open. End it."
            : "Only the gateway moves the log into the database: start it."
        return bytes > 1 << 30 ? .problem(text, advice) : .warning(text, advice)
    }

    private static func logSize(of path: String) -> Int64 {
        var status = stat()
        return stat(path + "-wal", &status) == 0 ? Int64(status.st_size) : 0
    }

    private static func soundness(_ damages: [String]) -> [Finding] {
        guard !damages.isEmpty else { return [.ok("Every page of the file is sound.")] }
        return damages.map {
            .problem("The file is damaged: \($0).", "Stop everything and restore a backup: backline restore FILE")
        }
    }
}
