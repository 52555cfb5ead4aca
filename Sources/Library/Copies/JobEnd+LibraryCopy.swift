import Contracts
import Model
import Storage

extension JobEnd {
    /// Ends a copy whose job failed or was cancelled. Edits that it has begun go on.
    package static let libraryCopy = JobEnd(kind: TypedJobKind.libraryCopy.kind.name) { job, transaction in
        guard job.ending != .succeeded, job.ending != .erased,
            let payload = try? TypedJobKind.libraryCopy.payload(from: job.payload, version: job.version),
            let id = LibraryID(payload.copy)
        else { return }
        var error = EditError(code: "cancelled", message: "The copy was cancelled.")
        if case .failed(let code) = job.ending {
            error = EditError(code: code, message: "The copy could not be made (\(code)). Ask for it again.")
        }
        if job.ending.isSetAside, let copy = try transaction.copies.copy(id, userID: job.userID) {
            error.message =
                "The program that makes copies stopped at this one (“\(copy.name)”) again and again, so it is not tried "
                + "any more. Do not ask for it again before whoever runs this Backline has found the cause, in the "
                + "worker's log."
        }
        try transaction.copies.fail(id, userID: job.userID, error, now: .now())
    }
}
