import Model
import TestSupport

@testable import Storage

/// Runs `body` with a database that has only the migrations before `migration`, and closes it.
///
/// - Parameter time: when these migrations were applied, according to the clock of that start.
func withDatabase<Value>(
    before migration: Migration, migratedAt time: Timestamp = Timestamp(microseconds: 0),
    _ body: (_ database: Database, _ folder: TemporaryFolder) async throws -> Value
) async throws -> Value {
    let folder = try TemporaryFolder()
    let database = try Database.open(path: folder.file("test.sqlite"))
    defer { database.close() }
    try await database.write { transaction in
        try transaction.run(Migration.record)
        for earlier in Migration.all where earlier.number < migration.number {
            for statement in earlier.statements { try transaction.run(statement) }
            try transaction.run(
                """
                INSERT INTO schema_migrations (number, name, applied_at)
                VALUES (\(earlier.number), \(earlier.name), \(time))
                """)
        }
    }
    return try await body(database, folder)
}
