import DomainEvents
import JobStorage
import Model
import Storage
import Synchronization

/// Undoes an import step by step. What another import added as well is kept.
package struct LibraryImportRemoval: Sendable {
    /// Removes some rows, and returns whether there were any.
    package typealias Step = @Sendable (WriteTransaction) throws -> Bool

    /// The progress of the removal, stored as the state of its job.
    package struct Progress: CheckpointState, Equatable {
        /// The number of transactions that removed rows.
        package var steps = 0

        package init() {}

        package var workDone: Int { steps }
    }

    private let id: LibraryID
    private let userID: String
    private let checkpoint: @Sendable (@escaping Step) async throws -> Void

    /// - Parameter checkpoint: performs a step in one transaction (`LongJobContext.checkpoint`). It counts as progress
    ///   if rows were removed.
    package init(
        _ id: LibraryID, userID: String, checkpoint: @escaping @Sendable (@escaping Step) async throws -> Void
    ) {
        (self.id, self.userID, self.checkpoint) = (id, userID, checkpoint)
    }

    /// - Parameter database: the database to check for rows that are left.
    package func run(database: Database) async throws {
        while try await database.read({ [id, userID] in try $0.imports.hasItems(id, userID: userID) }) {
            try await checkpoint { [id, userID] transaction in
                try transaction.imports.removeStep(of: id, userID: userID, now: .now())
                return true
            }
        }
        let isLeft = Mutex(true)
        while isLeft.withLock({ $0 }) {
            try await checkpoint { [id, userID] transaction in
                var hasRemoved = false
                try transaction.publish(ImportUndone(userID: userID, importID: id), with: &hasRemoved)
                isLeft.withLock { $0 = hasRemoved }
                return hasRemoved
            }
        }
        try await checkpoint { [id, userID] transaction in
            try transaction.imports.end(id, as: .undone, userID: userID, now: .now())
            return false
        }
    }
}
