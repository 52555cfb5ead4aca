import Contracts
import LibraryWriting
import Model
import Storage

extension SyncRun {
    /// Regroups the library under the identity rules if it is not up to date; pages assign their own source tracks.
    /// After a crash, the next run does what is left.
    func regroupLibrary(_ state: SyncState, _ memory: inout SyncMemory) async throws -> SyncEvent {
        var regrouping =
            memory.regrouping
            ?? LibraryRegrouping(
                database: database, libraryID: state.libraryID, userID: job.userID, sync: state.number)
        let merged = try await regrouping.step { [job] body in
            try await checkpoint(state, &memory) { transaction in
                let start = ContinuousClock.now
                let effect = try body(transaction)
                try transaction.syncs.addMerged(effect.merged, sync: job.id, userID: job.userID)
                return (effect, start.duration(to: .now))
            }
        }
        memory.regrouping = regrouping
        guard merged != nil else { return .merged(isDone: true) }
        job.report(JobProgress(phase: "merging", done: 0, total: 0))
        return .merged(isDone: false)
    }
}
