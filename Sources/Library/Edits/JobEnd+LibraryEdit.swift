import Contracts
import Model
import Storage

extension JobEnd {
    /// Ends an edit whose job failed or was cancelled: the library takes its change back. A requeued job finds its edit
    /// ended.
    ///
    /// An edit that was cancelled after it has removed entries goes on with another job until those that are to stay
    /// are back. One that cannot go on says which songs are missing.
    package static let libraryEdit = JobEnd(kind: TypedJobKind.libraryEdit.kind.name) { job, transaction in
        guard job.ending != .succeeded, job.ending != .erased,
            let payload = try? TypedJobKind.libraryEdit.payload(from: job.payload, version: job.version),
            let id = LibraryID(payload.edit)
        else { return }
        if job.ending == .cancelled, try transaction.edits.goOnAmidRemoval(id, userID: job.userID) { return }
        var error = EditError(code: "cancelled", message: "The change was cancelled, and is not made any further.")
        if case .failed(let code) = job.ending {
            error = EditError(
                code: code,
                message: "The change could not be made (\(code)). If some of it was made, the next sync shows it.")
        }
        if job.ending.isSetAside, let edit = try transaction.edits.edit(id, userID: job.userID) {
            error.message =
                "The program that makes changes stopped at this one (\(edit.kind.rawValue), “\(edit.title)”) again and "
                + "again, so it is not tried any more. If some of it was made, the next sync shows it. Whoever runs this "
                + "Backline finds the cause in the worker's log."
        }
        try transaction.edits.fail(id, userID: job.userID, error, now: .now())
    }
}
