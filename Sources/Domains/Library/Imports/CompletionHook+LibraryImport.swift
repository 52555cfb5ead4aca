import Contracts
import JobStorage
import Model
import Storage

extension CompletionHook {
    /// Marks an import as failed when its job failed or was cancelled. What it imported until then can be removed.
    package static let libraryImport = CompletionHook(kind: TypedJobKind.libraryImport.kind.name) { job, transaction in
        guard let payload = try? TypedJobKind.libraryImport.payload(from: job.payload, version: job.version) else {
            return
        }
        var error = "The import was cancelled. Remove it, or import the file again."
        switch job.ending {
        case _ where job.ending.isQuarantined:
            let file = try LibraryID(payload.importID).flatMap {
                try transaction.imports.one($0, userID: job.userID)?.filename
            }
            error =
                "The program that reads files crashed repeatedly at this one (“\(file ?? "")”). Do not import it "
                + "again; ask your operator to look for the cause in the worker's log. What was imported is kept."
        case .failed(let code):
            error = "The file could not be read to its end (\(code)). Import it again: what was imported is kept."
        default: break
        }
        try end(payload, of: job, error, in: transaction)
    }

    /// Marks a removal as failed when its job failed or was cancelled. It can be requested again.
    package static let libraryUndoImport = CompletionHook(kind: TypedJobKind.libraryUndoImport.kind.name) {
        job, transaction in
        guard let payload = try? TypedJobKind.libraryUndoImport.payload(from: job.payload, version: job.version) else {
            return
        }
        var error = "The removal of this import was cancelled. Remove it again."
        if case .failed(let code) = job.ending {
            error = "The import could not be removed (\(code)). Remove it again."
        }
        try end(payload, of: job, error, in: transaction)
    }

    private static func end(
        _ payload: LibraryImportPayload, of job: FinishedJob, _ error: String, in transaction: WriteTransaction
    ) throws {
        guard job.ending != .succeeded, job.ending != .erased, let id = LibraryID(payload.importID) else { return }
        try transaction.imports.end(id, as: .failed, error: error, userID: job.userID, now: .now())
    }
}
