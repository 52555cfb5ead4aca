import Accounts
import Contracts
import Gateway
import Jobs
import Model
import Releases
import Storage

extension GatewayDomain {
    /// New releases in people's feeds.
    package static func releases(_ services: GatewayServices, settings: ReleaseSettings) -> GatewayDomain {
        let database = services.database
        return GatewayDomain(
            "releases",
            upkeepSteps: [
                UpkeepStep("publish", every: .seconds(60), startsAtOnce: true) {
                    while try await database.read({ try $0.releases.isAnyOut(at: .now()) }), !Task.isCancelled {
                        _ = try await database.write { try $0.releases.publishDue(now: .now(), limit: publishBatch) }
                    }
                },
                UpkeepStep("schedules", every: .seconds(86_400), startsAtOnce: true) {
                    try await PersonalSchedules.apply(to: TypedJobKind.releasesRead.kind, in: database) {
                        reader, after, limit in
                        guard let activity = settings.activity else { return [] }
                        return try reader.accounts.peopleSeen(
                            since: Timestamp.now().advanced(by: .zero - activity), after: after, limit: limit)
                    } set: { transaction, userID, now in
                        try transaction.releases.schedule(userID: userID, now: now)
                    }
                },
                UpkeepStep(pruning: "prune", every: pruneInterval, startsAtOnce: true) { time in
                    let cutoff = time.before(settings.artistRetention)
                    try await database.deleteInSteps {
                        try $0.releases.prune(wantedBefore: cutoff, limit: $1, now: .now())
                    }
                },
            ],
            feedItemSources: [.releases(services.pictures)], feedRefreshSources: [.releases])
    }

    /// The most releases that one transaction adds to the timeline.
    private static var publishBatch: Int { 50 }
}
