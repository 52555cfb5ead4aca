import Contracts
import Dispatch
import Jobs
import LibraryImports
import Model
import Storage
import Synchronization

extension JobHandler {
    /// The time after which an import tries again to get a slot.
    private static let importPause = Duration.seconds(5)

    /// `library.import`: reads a file part by part, removes it, replies.
    ///
    /// - Parameter slots: an import that gets no slot is postponed, and does not occupy one of the worker's job slots
    ///   meanwhile.
    static func libraryImport(
        database: Database, folder: ImportFolder, quota: ImportQuota, slots: ImportSlots = ImportSlots()
    ) -> JobHandler {
        JobHandler(.libraryImport, keeping: StateRule<LibraryImportRun.Progress>()) { payload, context in
            let id = try LibraryID(ofImport: payload)
            guard slots.acquire() else {
                throw JobFailure(
                    code: "importWaits", message: "Other files are being read. This one will be read after them.",
                    remedy: .postpone(until: .now().advanced(by: importPause)))
            }
            defer { slots.release() }
            let run = LibraryImportRun(
                id, userID: context.job.userID, database: database, path: { folder.path(of: $0) },
                takesPrivate: payload.takesPrivate ?? false, quota: quota,
                checkpoint: { rows in
                    let result = Mutex<LibraryImportRun.WriteResult?>(nil)
                    try await context.checkpoint { transaction, _ in
                        let written = try rows(transaction)
                        result.withLock { $0 = written }
                        return written.progress
                    }
                    guard let written = result.withLock({ $0 }) else {
                        preconditionFailure("A written checkpoint has run its closure.")
                    }
                    return written
                })
            let ended = try await run.run(from: context.state)
            if let file = ended?.file {
                await withCheckedContinuation { continuation in
                    DispatchQueue.global().async {
                        folder.remove(file)
                        continuation.resume()
                    }
                }
            }
            return JobResult(LibraryImportResult(state: ended?.state.rawValue ?? "gone"))
        }
    }

    /// `library.undoImport`: removes what an import added, step by step.
    static func libraryUndoImport(database: Database) -> JobHandler {
        JobHandler(.libraryUndoImport, keeping: StateRule<LibraryImportRemoval.Progress>()) { payload, context in
            let (id, userID) = (try LibraryID(ofImport: payload), context.job.userID)
            let progress = Mutex(context.state ?? LibraryImportRemoval.Progress())
            let removal = LibraryImportRemoval(
                id, userID: userID,
                checkpoint: { step in
                    let before = progress.withLock { $0 }
                    try await context.checkpoint { transaction, _ in
                        var after = before
                        if try step(transaction) { after.steps += 1 }
                        progress.withLock { [after] in $0 = after }
                        return after
                    }
                })
            try await removal.run(database: database)
            return JobResult(LibraryImportResult(state: LibraryImport.State.undone.rawValue))
        }
    }
}

extension LibraryID {
    fileprivate init(ofImport payload: LibraryImportPayload) throws(JobFailure) {
        guard let id = LibraryID(payload.importID) else {
            throw JobFailure(code: "invalidPayload", message: "The payload names no import.", remedy: .none)
        }
        self = id
    }
}
