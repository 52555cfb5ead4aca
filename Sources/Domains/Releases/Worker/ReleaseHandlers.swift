import Concerts
import Contracts
import Jobs
import Model
import Releases
import Storage
import Synchronization
import Upstream
import Workers

extension JobHandler {
    /// `releases.read`: asks and stores artist by artist, replies.
    ///
    /// - Parameters:
    ///   - catalogs: the services to ask for a person.
    ///   - wanted: the artists of a person.
    static func releasesRead(
        database: Database, catalogs: @escaping @Sendable (_ userID: String) -> [ReleaseCatalog],
        wanted: @escaping ReleaseRun.Wanted
    ) -> JobHandler {
        JobHandler(.releasesRead, keeping: StateRule<ReleaseRunState>()) { _, context in
            let run = ReleaseRun(
                userID: context.job.userID, job: context.job.run.jobID, database: database,
                catalogs: catalogs(context.person), key: { FoldedName($0).key }, wanted: wanted,
                checkpoint: { rows in
                    let state = Mutex<ReleaseRunState?>(nil)
                    try await context.checkpoint { transaction, _ in
                        let written = try rows(transaction)
                        state.withLock { $0 = written }
                        return written
                    }
                    guard let written = state.withLock({ $0 }) else {
                        preconditionFailure("A written checkpoint has run its closure.")
                    }
                    return written
                }, report: { context.report($0) })
            // Calls with one key are served round robin by person.
            let outcome = try await UpstreamRequest.$currentPerson.withValue(context.person) {
                try await run.run(context.state)
            }
            return JobResult(outcome.result) { transaction, _ in try outcome.write(transaction) }
        }
    }
}

extension WorkerDomain {
    /// Reads the releases of artists.
    package static let releases = WorkerDomain { process in
        let settings = process.configuration[ReleaseSettings.self]
        let spotify = try process.providers.spotify()
        let appleMusic = try process.providers.appleMusic()
        return [
            .releasesRead(
                database: process.database,
                catalogs: { userID in
                    [
                        .spotify(spotify, userID: userID),
                        .appleMusic(appleMusic, country: settings.appleMusicCountry, userID: userID),
                    ]
                },
                wanted: { reader, userID, now in
                    try WantedArtists.of(userID, in: reader, activity: settings.activity, now: now)
                })
        ]
    }
}
