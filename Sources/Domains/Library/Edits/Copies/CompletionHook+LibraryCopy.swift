import Contracts
import JobStorage
import Model

extension CompletionHook {
    /// Marks a copy as failed when its job failed or was cancelled. Edits that it has started continue.
    package static let libraryCopy = CompletionHook(kind: TypedJobKind.libraryCopy.kind.name) { job, transaction in
        guard job.ending != .succeeded, job.ending != .erased,
            let payload = try? TypedJobKind.libraryCopy.payload(from: job.payload, version: job.version),
            let id = LibraryID(payload.copy)
        else { return }
        var error = EditError(code: "cancelled", message: "The copy was cancelled.")
        if case .failed(let code) = job.ending {
            error = EditError(code: code, message: "The copy could not be made (\(code)). Copy the playlist again.")
        }
        if job.ending.isQuarantined, let copy = try transaction.copies.copy(id, userID: job.userID) {
            error.message =
                "The program that makes copies crashed repeatedly at this one (“\(copy.name)”), so it will not be "
                + "tried again. Do not copy the playlist again before whoever runs this Backline has found the cause "
                + "in the worker's log."
        }
        try transaction.copies.fail(id, userID: job.userID, error, now: .now())
    }
}
