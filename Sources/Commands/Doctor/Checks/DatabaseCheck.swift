import Foundation
import Model
import Storage

extension DoctorCheck {
    /// The schema, the log and, if asked for, each page.
    static let database = DoctorCheck("database") { context in
        let path = context.databasePath
        guard FileManager.default.fileExists(atPath: path) else {
            return [
                .problem(
                    "There is no database at \(path).",
                    "'backline migrate' makes one. If it is elsewhere, set database.path, or start where that path "
                        + "is seen from.")
            ]
        }
        let database: ReadOnlyDatabase
        do {
            database = try ReadOnlyDatabase.open(path: path)
        } catch StorageError.corrupt(let message) {
            return [
                .problem(
                    "\(path) is no sound database: \(message).",
                    "Stop everything and put a backup back: backline restore FILE")
            ]
        }
        defer { database.close() }
        let schema = try await database.read { try $0.schemaVersion() }
        let findings = [
            schemaFinding(schema), logFinding(logSize(of: path), isGatewayThere: context.processes.gateway != nil),
        ]
        guard context.isDeep else { return findings }
        do {
            return findings + soundness(try await database.read { try $0.damages(limit: 3) })
        } catch StorageError.corrupt(let message) {
            // Some damage ends the look at it.
            return findings + soundness([message])
        }
    }

    static func schemaFinding(_ found: Int) -> Finding {
        if found > Migration.latest {
            return .problem(
                "The database has schema \(found), newer than \(Migration.latest), the newest that this program knows.",
                "Use the version of Backline that migrated it, or a later one.")
        }
        if found < Migration.latest {
            return .warning(
                "The database has schema \(found), older than \(Migration.latest), which this program works with.",
                "Start this version's gateway, or run 'backline migrate'; workers wait for it.")
        }
        return .ok("Schema \(found), which is this program's.")
    }

    /// The gateway moves the log into the database at 4 MiB, and cuts it off at 64 MiB.
    static func logFinding(_ bytes: Int64, isGatewayThere: Bool) -> Finding {
        let text = "The write-ahead log has \(HumanTime.bytes(bytes))."
        guard bytes > 80 << 20 else { return .ok(text) }
        let advice =
            isGatewayThere
            ? "Some reader does not end: a backup, or a program of yours that keeps the database open. End it."
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
            .problem("The file is damaged: \($0).", "Stop everything and put a backup back: backline restore FILE")
        }
    }
}
