import Contracts
import Jobs
import Library
import LibraryEdits
import LibraryImports
import LibrarySync
import LibraryWriting
import Connections
import Logging
import Model
import Platform
import Storage
import Upstream
import Workers

extension JobHandler {
    /// `library.sync`: decodes, reads the sources page by page, replies. A failure of one source is part of the result,
    /// unless waiting or another attempt may help.
    static func librarySync(_ services: LibrarySources, database: Database, logger: Logger) -> JobHandler {
        librarySync(
            database: database, logger: logger, sources: { try await services.sources(userID: $0) },
            connected: { try await services.connected(userID: $0) })
    }

    /// - Parameters:
    ///   - logger: gets a line about each sync that merged songs; `nil` writes none.
    ///   - sources: returns a value for every source, given a person's id.
    ///   - connected: returns the sources that the person has connected.
    static func librarySync(
        database: Database, logger: Logger? = nil,
        sources: @escaping @Sendable (_ userID: String) async throws -> [LibrarySource],
        connected: @escaping @Sendable (_ userID: String) async throws -> [MusicSource]
    ) -> JobHandler {
        JobHandler(.librarySync, keeping: StateRule<SyncState>()) { payload, context in
            let job = SyncRun.Job(
                id: context.job.run.jobID, userID: context.job.userID, payload: payload,
                isLastAttempt: context.job.attempt >= context.job.maximumAttempts,
                checkpoint: { state, rows in
                    try await context.checkpoint(state) { transaction, _ in try rows(transaction) }
                },
                report: { context.report($0) })
            // Calls with one key are served round robin by person.
            return try await UpstreamRequest.$currentPerson.withValue(context.person) {
                let sync = SyncRun(
                    job, database: database, sources: try await sources(job.userID),
                    connected: try await connected(job.userID))
                do {
                    let outcome = try await CallSequence.run { try await sync.run(from: context.state) }
                    if outcome.result.merged > 0 {
                        logger?.info(
                            "a sync merged songs into others",
                            metadata: ["job": "\(job.id)", "merged": "\(outcome.result.merged)"])
                    }
                    return JobResult(outcome.result) { transaction, _ in try outcome.write(transaction) }
                } catch let postponed as SyncRun.Postponement {
                    throw JobFailure(
                        code: "syncWaits", message: postponed.message, remedy: .postpone(until: postponed.until))
                }
            }
        }
    }
}

extension WorkerDomain {
    /// Reads people's libraries, and changes them.
    package static let library = WorkerDomain { process in
        let services = try LibrarySources(process)
        let settings = process.configuration[LibrarySettings.self]
        let imports = process.configuration[ImportSettings.self]
        let consistencyDelays = EditRun.ConsistencyDelays(
            spotify: settings.spotifyConsistencyDelay.dividedInTests,
            appleMusic: settings.appleMusicConsistencyDelay.dividedInTests)
        return [
            .librarySync(services, database: process.database, logger: process.logger),
            .libraryEdit(
                database: process.database, consistencyDelays: consistencyDelays,
                upstream: { try await services.editing($0, userID: $1) }),
            .libraryCopy(services, database: process.database, consistencyDelays: consistencyDelays),
            .libraryImport(
                database: process.database, folder: ImportFolder(imports), quota: imports.quota),
            .libraryUndoImport(database: process.database),
        ]
    }
}
