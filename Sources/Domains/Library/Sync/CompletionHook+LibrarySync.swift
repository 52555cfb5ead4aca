import Contracts
import JobStorage
import Model

extension CompletionHook {
    /// Ends the rows of a sync whose job failed or was cancelled. A requeued job continues from its checkpoint.
    package static let librarySync = CompletionHook(
        kind: TypedJobKind.librarySync.kind.name,
        undo: { job, transaction in
            var code = ""
            if case .failed(let failure) = job.ending { code = failure }
            try transaction.syncs.requeueSync(job.id, userID: job.userID, code: code)
            return .undone
        },
        write: { job, transaction in
            try transaction.syncs.endSync(job.id, userID: job.userID, as: job.ending, now: .now())
        })
}
