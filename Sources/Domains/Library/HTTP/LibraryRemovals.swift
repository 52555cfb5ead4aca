import Gateway
import LibraryWriting
import Model
import Storage

/// Deletes the rows of disconnected sources, in steps that each hold the write lock for at most 20 ms.
///
/// A removal that is interrupted continues with the next run: its rows name what is left.
package struct LibraryRemovals {
    let database: Database

    /// Runs removals that are due; at most 100, before the next run looks again.
    func run() async throws {
        let due = try await database.read { try $0.sourceRemovals.sourcesToRemove(limit: 100) }
        var isolatedWork = IsolatedWork()
        for (library, userID, source) in due {
            try await isolatedWork.attempt { try await remove(source, library: library, userID: userID) }
        }
        try isolatedWork.finish()
    }

    private func remove(_ source: MusicSource, library: Int64, userID: String) async throws {
        // Source tracks take longest: about 10 ms for 50. Steps with smaller rows come first, and must not let the size
        // grow beyond that.
        var size = StepSize(units: 20, maximum: 50)
        while true {
            let limit = size.units
            let (count, held) = try await database.writeAlone { transaction in
                try transaction.sourceRemovals.removeStep(
                    of: source, libraryID: library, userID: userID, limit: limit, now: .now())
            }
            if count == 0 { return }
            size.took(held, for: min(count, limit))
            // The pause is as long as the step, so that others have half of the time.
            try await Task.sleep(for: min(held, .seconds(1)))
        }
    }
}
