import Accounts
import Domains
import Storage
import TestSupport
import Visibility

extension [Domain] {
    /// Those whose tables the tests use.
    static let tested: [Domain] = [.storage, .visibility, .accounts, .jobs]
}

/// Creates a migrated database, runs `body` with it, and closes it.
func withDatabase<Value>(
    _ body: (_ database: Database, _ folder: TemporaryFolder) async throws -> Value
) async throws -> Value {
    try await withDatabase(of: .tested, body)
}
