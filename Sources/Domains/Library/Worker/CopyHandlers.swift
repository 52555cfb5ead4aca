import Contracts
import Jobs
import LibraryEdits
import Model
import Storage
import Synchronization
import Upstream

extension JobHandler {
    /// `library.copy`: copies a playlist to another service.
    static func libraryCopy(
        _ services: LibrarySources, database: Database, consistencyDelays: EditRun.ConsistencyDelays
    ) -> JobHandler {
        JobHandler(.libraryCopy, keeping: StateRule<CopyProgress>()) { payload, context in
            let userID = context.job.userID
            guard let id = LibraryID(payload.copy) else {
                throw JobFailure(code: "invalidPayload", message: "The payload names no copy.", remedy: .none)
            }
            let progress = Mutex(context.state ?? CopyProgress())
            let run = CopyRun(
                id, userID: userID, database: database, ownIDs: try await services.ownSpotifyIDs(userID: userID),
                consistencyDelays: consistencyDelays,
                library: { source in
                    try await services.editing(source, userID: userID).library
                },
                mark: { try await services.editing($0, userID: userID).mark($1) },
                catalog: { try await services.copying($0, userID: userID) },
                checkpoint: { entries, rows in
                    var reached = progress.withLock { $0 }
                    reached.entries += entries
                    try await context.checkpoint(reached) { transaction, _ in try rows(transaction) }
                    progress.withLock { [reached] in $0 = reached }
                },
                report: { context.report(JobProgress(done: $0, total: $1)) })
            do {
                // Calls with one key are served round robin by person.
                let copy = try await UpstreamRequest.$currentPerson.withValue(context.person) {
                    try await CallSequence.run { try await run.run() }
                }
                return JobResult(LibraryCopyResult(state: copy?.state.rawValue ?? "gone"))
            } catch let postponed as EditRun.Postponement {
                throw JobFailure(
                    code: "copyWaits", message: postponed.message, remedy: .postpone(until: postponed.until))
            }
        }
    }
}
