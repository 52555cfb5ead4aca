import Accounts
import Domains
import People
import Storage
import TestSupport
import Visibility

extension [Domain] {
    /// Those whose tables the tests use. An erasure needs the table of users.
    static let tested: [Domain] = [.storage, .visibility, .accounts, .jobs, .people]
}

/// Creates a migrated database, runs `body` with it, and closes it.
func withDatabase<Value>(_ body: (_ database: Database) async throws -> Value) async throws -> Value {
    try await withDatabase(of: .tested) { database, _ in
        database.register([EventSubscriber].people)
        return try await body(database)
    }
}
