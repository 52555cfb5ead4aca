import Contracts
import Jobs
import Library
import LinkedAccounts
import Listening
import Model
import Platform
import Storage
import Upstream

extension JobHandler {
    /// `library.sync`: decodes, reads the sources page by page, replies. A failure of one source is part of the result,
    /// unless waiting or another attempt may help.
    package static func librarySync(_ services: LibrarySources, database: Database) -> JobHandler {
        librarySync(
            database: database, sources: { try await services.sources(userID: $0) },
            connected: { try await services.connected(userID: $0) })
    }

    /// - Parameters:
    ///   - sources: returns a value for every source, given a person's id.
    ///   - connected: returns the sources that the person has connected.
    static func librarySync(
        database: Database, sources: @escaping @Sendable (_ userID: String) async throws -> [LibrarySource],
        connected: @escaping @Sendable (_ userID: String) async throws -> [MusicSource]
    ) -> JobHandler {
        JobHandler(.librarySync, keeping: StateRule<SyncState>()) { payload, context in
            let job = LibrarySync.Job(
                id: context.job.run.jobID, userID: context.job.userID, payload: payload,
                isLastAttempt: context.job.attempt >= context.job.maximumAttempts,
                checkpoint: { state, rows in
                    try await context.checkpoint(state) { transaction, _ in try rows(transaction) }
                },
                report: { context.report($0) })
            // Calls with one key are served round robin by person.
            return try await UpstreamRequest.$currentPerson.withValue(context.person) {
                let sync = LibrarySync(
                    job, database: database, sources: try await sources(job.userID),
                    connected: try await connected(job.userID))
                do {
                    let outcome = try await CallSequence.run { try await sync.run(from: context.state) }
                    return JobResult(outcome.result) { transaction, _ in try outcome.write(transaction) }
                } catch let postponed as LibrarySync.Postponement {
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
        let spotify = try process.providers.spotify()
        let services = LibrarySources(
            spotify: spotify, spotifyCalls: SpotifyCalls(spotify, process: process),
            appleMusic: try process.providers.appleMusic(), database: process.database)
        let settings = process.configuration.library
        let consistencyDelays = EditRun.ConsistencyDelays(
            spotify: settings.spotifyConsistencyDelay.dividedInTests,
            appleMusic: settings.appleMusicConsistencyDelay.dividedInTests)
        return [
            .librarySync(services, database: process.database),
            .libraryEdit(
                database: process.database, consistencyDelays: consistencyDelays,
                upstream: { try await services.editing($0, userID: $1) }),
            .libraryCopy(services, database: process.database, consistencyDelays: consistencyDelays),
            .libraryImport(
                database: process.database, folder: ImportFolder(process.configuration.imports),
                importQuota: process.configuration.imports.quota,
                listenQuota: ListenQuota(process.configuration.quotas)),
            .libraryUndoImport(database: process.database),
        ]
    }
}
