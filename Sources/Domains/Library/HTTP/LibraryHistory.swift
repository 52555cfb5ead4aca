import Gateway
import Library
import LibraryWriting
import Model
import Storage

/// Deletes rows that people's change logs no longer need, in steps that each hold the write lock for at most 20 ms.
///
/// Pruning that is interrupted continues with the next run, since the rows themselves have their dates.
struct LibraryHistory {
    /// The number of libraries in one read.
    private static let batch = 500

    let database: Database
    /// How long changes are kept.
    let retention: Duration

    func prune(at time: PruningTime) async throws {
        let cutoff = time.before(retention)
        var last: Int64 = 0
        while true {
            let after = last
            let libraries = try await database.read {
                try $0.libraryChanges.earliestChanges(afterLibrary: after, limit: Self.batch)
            }
            for (library, earliest) in libraries {
                guard let earliest, earliest < cutoff.moment else { continue }
                try await database.deleteInSteps {
                    try $0.libraryChanges.pruneHistory(ofLibrary: library, before: cutoff, limit: $1)
                }
            }
            guard libraries.count == Self.batch, let end = libraries.last else { return }
            last = end.libraryID
        }
    }
}
