import Accounts
import Domains
import Storage
import TestSupport

@testable import Visibility

extension [Domain] {
    /// Those whose tables the tests use. An erasure needs the table of users.
    static let tested: [Domain] = [.storage, .visibility, .accounts, .jobs]
}

/// Creates a migrated database, runs `body` with it, and closes it.
func withDatabase<Value>(_ body: (_ database: Database) async throws -> Value) async throws -> Value {
    try await withDatabase(of: .tested) { database, _ in try await body(database) }
}
