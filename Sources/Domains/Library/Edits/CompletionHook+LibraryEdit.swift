import Contracts
import JobStorage
import Model

extension CompletionHook {
    /// Marks an edit as failed when its job failed or was cancelled, and undoes its change in the library. If the job
    /// is requeued, it finds that the edit has ended.
    ///
    /// An edit that was cancelled after it removed entries continues with another job until the entries that should
    /// stay are back. If it cannot continue, its error names the missing songs.
    package static let libraryEdit = CompletionHook(kind: TypedJobKind.libraryEdit.kind.name) { job, transaction in
        guard job.ending != .succeeded, job.ending != .erased,
            let payload = try? TypedJobKind.libraryEdit.payload(from: job.payload, version: job.version),
            let id = LibraryID(payload.edit)
        else { return }
        if job.ending == .cancelled, try transaction.edits.requeueAmidRemoval(id, userID: job.userID) { return }
        var error = EditError(code: "cancelled", message: "The change was cancelled before it was complete.")
        if case .failed(let code) = job.ending {
            error = EditError(
                code: code,
                message: "The change could not be made (\(code)). If part of it was made, the next sync shows it.")
        }
        if job.ending.isQuarantined, let edit = try transaction.edits.edit(id, userID: job.userID) {
            error.message =
                "The program that makes changes crashed at this one (\(edit.kind.rawValue), “\(edit.title)”) again "
                + "and again, so it is no longer tried. If part of it was made, the next sync shows it. Whoever runs "
                + "this Backline can find the cause in the worker's log."
        }
        try transaction.edits.fail(id, userID: job.userID, error, now: .now())
    }
}
