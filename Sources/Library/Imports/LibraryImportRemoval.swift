import Model
import Storage
import Synchronization

/// Takes back what an import brought, step by step. What another import brought as well stays.
package struct LibraryImportRemoval: Sendable {
    private let id: LibraryID
    private let userID: String
    private let removeListens: @Sendable (WriteTransaction) throws -> Bool
    private let keep: @Sendable (_ steps: Int, @escaping LibraryImportRun.Rows) async throws -> Void

    /// - Parameters:
    ///   - removeListens: removes some of the import's listens; returns whether none are left.
    ///   - keep: writes rows and the number of steps in one transaction (`LongJobContext.checkpoint`).
    package init(
        _ id: LibraryID, userID: String,
        removeListens: @escaping @Sendable (WriteTransaction) throws -> Bool,
        keep: @escaping @Sendable (Int, @escaping LibraryImportRun.Rows) async throws -> Void
    ) {
        (self.id, self.userID, self.keep) = (id, userID, keep)
        self.removeListens = removeListens
    }

    /// - Parameters:
    ///   - steps: those that were made.
    ///   - database: tells whether something is left.
    package func run(after steps: Int, database: Database) async throws {
        var steps = steps
        while try await database.read({ [id, userID] in try $0.imports.hasItems(id, userID: userID) }) {
            steps += 1
            try await keep(steps) { [id, userID] in
                try $0.imports.removeStep(of: id, userID: userID, now: .now())
            }
        }
        let isDone = Mutex(false)
        repeat {
            steps += 1
            try await keep(steps) { [removeListens] transaction in
                let isLast = try removeListens(transaction)
                isDone.withLock { $0 = isLast }
            }
        } while !isDone.withLock { $0 }
        try await keep(steps + 1) { [id, userID] in
            try $0.imports.end(id, as: .undone, userID: userID, now: .now())
        }
    }
}
