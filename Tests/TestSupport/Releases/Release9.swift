import Foundation
import Storage

/// The database of an installation of release 9, with the schema of migration 9.
package enum Release9 {
    /// Writes the database as that release left it into a new file.
    package static func write(toFileAt path: String) throws {
        guard let script = Bundle.module.url(forResource: "Release9", withExtension: "sql") else {
            throw RawSQLite.Failure(description: "Release9.sql is not among the resources")
        }
        try RawSQLite(path: path).run(try String(contentsOf: script, encoding: .utf8))
    }
}

/// Migrates the database of release 9 to the current schema, runs `body` with it, and closes it.
package func withMigratedRelease9<Value>(
    _ body: (_ database: Database, _ folder: TemporaryFolder) async throws -> Value
) async throws -> Value {
    let folder = try TemporaryFolder()
    try Release9.write(toFileAt: folder.file("test.sqlite"))
    let database = try Database.open(path: folder.file("test.sqlite"))
    defer { database.close() }
    try await database.migrate()
    return try await body(database, folder)
}
