import Model
import Storage
import Synchronization

/// Takes back what an import brought, step by step. What another import brought as well stays.
package struct LibraryImportRemoval: Sendable {
    /// Removes some rows. Returns whether there were any.
    package typealias Step = @Sendable (WriteTransaction) throws -> Bool

    /// How much is removed: the state of the job.
    package struct Progress: CheckpointState, Equatable {
        /// The transactions that removed rows.
        package var steps = 0

        package init() {}

        package var workDone: Int { steps }
    }

    private let id: LibraryID
    private let userID: String
    private let removeListens: Step
    private let keep: @Sendable (@escaping Step) async throws -> Void

    /// - Parameters:
    ///   - removeListens: removes some of the import's listens.
    ///   - keep: makes a step in one transaction (`LongJobContext.checkpoint`). It is progress when rows were removed.
    package init(
        _ id: LibraryID, userID: String, removeListens: @escaping Step,
        keep: @escaping @Sendable (@escaping Step) async throws -> Void
    ) {
        (self.id, self.userID, self.keep) = (id, userID, keep)
        self.removeListens = removeListens
    }

    /// - Parameter database: tells whether something is left.
    package func run(database: Database) async throws {
        while try await database.read({ [id, userID] in try $0.imports.hasItems(id, userID: userID) }) {
            try await keep { [id, userID] transaction in
                try transaction.imports.removeStep(of: id, userID: userID, now: .now())
                return true
            }
        }
        let isLeft = Mutex(true)
        while isLeft.withLock({ $0 }) {
            try await keep { [removeListens] transaction in
                let hasRemoved = try removeListens(transaction)
                isLeft.withLock { $0 = hasRemoved }
                return hasRemoved
            }
        }
        try await keep { [id, userID] transaction in
            try transaction.imports.end(id, as: .undone, userID: userID, now: .now())
            return false
        }
    }
}
