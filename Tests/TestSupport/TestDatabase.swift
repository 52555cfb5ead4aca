import Storage

/// Creates and migrates a database, runs `body` with it, and closes it.
package func withDatabase<Value>(
    _ body: (_ database: Database, _ folder: TemporaryFolder) async throws -> Value
) async throws -> Value {
    let folder = try TemporaryFolder()
    let database = try Database.open(path: folder.file("test.sqlite"))
    defer { database.close() }
    try await database.migrate()
    return try await body(database, folder)
}
