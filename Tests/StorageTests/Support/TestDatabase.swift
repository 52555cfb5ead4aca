import Composition
import Domains
import Storage
import TestSupport

extension Schema {
    /// That of Backline, with the tables of all domains.
    static let all = Schema(of: .all)
}

/// Creates a migrated database, runs `body` with it, and closes it.
///
/// - Parameter maximumBatchTime: the time after which a batch of writes accepts no further entries.
func withDatabase<Value>(
    maximumBatchTime: Duration = .milliseconds(5),
    _ body: (_ database: Database, _ folder: TemporaryFolder) async throws -> Value
) async throws -> Value {
    try await withDatabase(of: .all, maximumBatchTime: maximumBatchTime, body)
}
