import Contracts
import Jobs
import LibraryEdits
import Model
import Storage
import Upstream

extension JobHandler {
    /// `library.edit`: makes the writes of an edit and records them in its journal.
    static func libraryEdit(
        database: Database, consistencyDelays: EditRun.ConsistencyDelays,
        upstream: @escaping @Sendable (_ source: MusicSource, _ userID: String) async throws -> EditUpstream
    ) -> JobHandler {
        JobHandler(.libraryEdit, keeping: StateRule<EditProgress>()) { payload, context in
            let userID = context.job.userID
            guard let id = LibraryID(payload.edit) else {
                throw JobFailure(code: "invalidPayload", message: "The payload names no edit.", remedy: .none)
            }
            let run = EditRun(
                id, userID: userID, database: database, consistencyDelays: consistencyDelays,
                upstream: { try await upstream($0, userID) },
                checkpoint: { rows in
                    try await context.checkpoint { transaction, _ in
                        try rows(transaction)
                        return try transaction.edits.progress(of: id)
                    }
                })
            do {
                // Calls with one key are served round robin by person.
                let edit = try await UpstreamRequest.$currentPerson.withValue(context.person) {
                    try await CallSequence.run { try await run.run() }
                }
                return JobResult(LibraryEditResult(state: edit?.state.rawValue ?? "gone")) { transaction, submissions in
                    guard let edit else { return }
                    // The edits that waited for this one come next.
                    for next in try transaction.edits.next(after: edit) {
                        let job = try NewJob(
                            .libraryEdit, LibraryEditPayload(edit: next.id.text), priority: context.job.priority)
                        let id = try submissions.submit(job, userID: userID, in: transaction)
                        try transaction.edits.set(job: id, of: next)
                    }
                }
            } catch let postponed as EditRun.Postponement {
                throw JobFailure(
                    code: "editWaits", message: postponed.message, remedy: .postpone(until: postponed.until))
            }
        }
    }
}
