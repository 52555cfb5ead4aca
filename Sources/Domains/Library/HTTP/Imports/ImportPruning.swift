import DomainEvents
import Gateway
import LibraryImports
import Model
import Storage

/// Deletes rows that are only needed for undoing old imports, in steps that each hold the write lock for at most 20 ms.
struct ImportPruning {
    private static let batch = 100

    let database: Database
    /// How long an import can be undone after its end.
    let retention: Duration

    func prune(at time: PruningTime) async throws {
        let cutoff = time.before(retention)
        var (isolatedWork, last) = (IsolatedWork(), UnprunedImport?.none)
        while true {
            let place = last
            let imports = try await database.read {
                try $0.imports.unpruned(finishedBefore: cutoff, after: place, limit: Self.batch)
            }
            for one in imports { try await isolatedWork.attempt { try await prune(one, at: time) } }
            last = imports.last
            if imports.count < Self.batch { return try isolatedWork.finish() }
        }
    }

    private func prune(_ one: UnprunedImport, at time: PruningTime) async throws {
        let (id, userID) = (one.id, one.userID)
        guard try await database.write({ try $0.imports.beginPruning(id, userID: userID, at: time) }) else { return }
        // The rows of other domains first: the import is found again until its last row is gone.
        try await database.deleteInSteps { transaction, limit in
            var changed = 0
            try transaction.publish(ImportMadePermanent(userID: userID, importID: id, limit: limit), with: &changed)
            return changed
        }
        try await database.deleteInSteps { try $0.imports.prune(id, userID: userID, limit: $1, at: time) }
    }
}
