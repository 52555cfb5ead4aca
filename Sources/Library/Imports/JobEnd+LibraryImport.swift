import Contracts
import Model
import Storage

extension JobEnd {
    /// Ends an import whose job failed or was cancelled. What it brought until then can be removed.
    package static let libraryImport = JobEnd(kind: TypedJobKind.libraryImport.kind.name) { job, transaction in
        guard job.ending != .succeeded, job.ending != .erased,
            let payload = try? TypedJobKind.libraryImport.payload(from: job.payload, version: job.version),
            let id = LibraryID(payload.importID)
        else { return }
        var error = "The import was cancelled. Remove what it brought, or import the file again."
        if case .failed(let code) = job.ending {
            error = "The file could not be read to its end (\(code)). Import it again: what is there already stays."
        }
        try transaction.imports.end(id, as: .failed, error: error, userID: job.userID, now: .now())
    }
}
