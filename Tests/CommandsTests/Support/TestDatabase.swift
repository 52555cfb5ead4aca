import Composition
import Storage
import TestSupport

/// Creates a migrated database, runs `body` with it, and closes it.
func withDatabase<Value>(
    _ body: (_ database: Database, _ folder: TemporaryFolder) async throws -> Value
) async throws -> Value {
    try await withDatabase(of: .all, body)
}
