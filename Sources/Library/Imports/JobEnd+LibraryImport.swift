import Contracts
import Model
import Storage

extension JobEnd {
    /// Ends an import whose job failed or was cancelled. What it brought until then can be removed.
    package static let libraryImport = JobEnd(kind: TypedJobKind.libraryImport.kind.name) { job, transaction in
        guard let payload = try? TypedJobKind.libraryImport.payload(from: job.payload, version: job.version) else {
            return
        }
        var error = "The import was cancelled. Remove what it brought, or import the file again."
        switch job.ending {
        case _ where job.ending.isSetAside:
            let file = try LibraryID(payload.importID).flatMap {
                try transaction.imports.one($0, userID: job.userID)?.filename
            }
            error =
                "The program that reads files stopped at this one (“\(file ?? "")”) again and again. Do not import it "
                + "again; ask your operator to look for the cause in the worker's log. What is there already stays."
        case .failed(let code):
            error = "The file could not be read to its end (\(code)). Import it again: what is there already stays."
        default: break
        }
        try end(payload, of: job, error, in: transaction)
    }

    /// Says that a removal has failed or was cancelled. It can be asked for again.
    package static let libraryUndoImport = JobEnd(kind: TypedJobKind.libraryUndoImport.kind.name) { job, transaction in
        guard let payload = try? TypedJobKind.libraryUndoImport.payload(from: job.payload, version: job.version) else {
            return
        }
        var error = "The removal of what it brought was cancelled. Remove it again."
        if case .failed(let code) = job.ending {
            error = "What it brought could not be removed (\(code)). Remove it again."
        }
        try end(payload, of: job, error, in: transaction)
    }

    private static func end(
        _ payload: LibraryImportPayload, of job: EndedJob, _ error: String, in transaction: WriteTransaction
    ) throws {
        guard job.ending != .succeeded, job.ending != .erased, let id = LibraryID(payload.importID) else { return }
        try transaction.imports.end(id, as: .failed, error: error, userID: job.userID, now: .now())
    }
}
