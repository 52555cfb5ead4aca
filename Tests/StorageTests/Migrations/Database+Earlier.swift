@testable import Storage

extension Database {
    /// Applies only the first migrations, as an earlier version would.
    func migrate(first count: Int) async throws {
        try await write { transaction in
            try transaction.run(Migration.recordTable)
            for migration in Schema.all.migrations.prefix(count) { _ = try transaction.apply(migration) }
        }
    }
}
