import Storage

/// What a domain does outside of the database when a person is erased, such as deleting files. An ``EventSubscriber``
/// could not do that, since it runs within a transaction.
///
/// It runs once the person is gone and signed out, which is durable by then, and before their other rows are deleted,
/// so that these still name what is to be deleted. It is not repeated after a crash: a domain also needs an upkeep step
/// that deletes what a handler left.
package struct PersonErasedHandler: Sendable {
    private let handle: @Sendable (_ userID: String, _ database: Database) async -> Void

    package init(_ handle: @escaping @Sendable (_ userID: String, _ database: Database) async -> Void) {
        self.handle = handle
    }

    /// Handles the erasure of a person.
    package func callAsFunction(userID: String, in database: Database) async { await handle(userID, database) }
}
