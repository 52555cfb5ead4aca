import Library
import Listening
import Model
import Storage

/// Deletes what only undoing old imports would need, in steps that each hold the write lock for 20 ms at most.
struct ImportPruning {
    private static let batch = 100

    let database: Database
    /// How long an import can be undone after its end.
    let retention: Duration

    func prune(at time: PruningTime) async throws {
        let cutoff = time.before(retention)
        while true {
            let imports = try await database.read {
                try $0.imports.unpruned(finishedBefore: cutoff, limit: Self.batch)
            }
            for (userID, id) in imports {
                // Listens first: the import is found again until its last row is gone.
                try await database.deleteInSteps {
                    try $0.listening.keepRepeats(ofImport: id, userID: userID, limit: $1)
                }
                try await database.deleteInSteps {
                    try $0.imports.prune(id, userID: userID, limit: $1, at: time)
                }
            }
            if imports.count < Self.batch { return }
        }
    }
}

extension Database {
    /// Deletes rows in steps that each hold the write lock for 20 ms at most.
    ///
    /// - Parameter step: deletes as many rows as it is told at most, and returns their number; 0 when none is left.
    func deleteInSteps(
        _ step: @escaping @Sendable (_ transaction: WriteTransaction, _ limit: Int) throws -> Int
    ) async throws {
        var size = StepSize(units: 50, maximum: 500)
        while true {
            let limit = size.units
            let (count, held) = try await writeAlone { try step($0, limit) }
            if count == 0 { return }
            size.took(held, for: count)
            // As long as the step, so that others have half of the time.
            try await Task.sleep(for: min(held, .seconds(1)))
        }
    }
}
