import Connections
import Contracts
import Gateway
import Jobs
import Library
import LibrarySync
import Model

extension GatewayDomain {
    /// People's libraries: reading, searching and syncing them.
    ///
    package static func library(
        _ services: GatewayServices, settings: LibrarySettings, edits: LibraryEditService
    ) -> GatewayDomain {
        let (syncInterval, historyRetention) = (settings.syncInterval, settings.historyRetention)
        let removals = LibraryRemovals(database: services.database)
        let history = LibraryHistory(database: services.database, retention: historyRetention)
        let groups = LibraryGroups(database: services.database)
        let copies = LibraryCopyRoutes(
            queue: services.queue, edits: edits, maximumBodyBytes: services.maximumBodyBytes)
        let providers = MusicSource.services.compactMap(\.provider?.rawValue)
        return GatewayDomain(
            "library",
            routes: { routing in
                LibraryRoutes(database: services.database, pictures: services.pictures).add(to: routing.signedIn)
                LibraryEditRoutes(service: edits, maximumBodyBytes: services.maximumBodyBytes)
                    .add(to: routing.signedIn)
                copies.add(to: routing.signedIn)
                LibraryIdentityRoutes(
                    database: services.database, pictures: services.pictures,
                    maximumBodyBytes: services.maximumBodyBytes
                ).add(to: routing.signedIn)
                LibrarySyncRoutes(queue: services.queue, maximumBodyBytes: services.maximumBodyBytes)
                    .add(to: routing.signedIn)
            },
            eventSources: [
                LibrarySyncRoutes.eventSource, LibraryEditRoutes.eventSource, LibraryCopyRoutes.eventSource,
            ],
            upkeepSteps: [
                UpkeepStep("removeSources", every: .seconds(5), startsAtOnce: true) { try await removals.run() },
                UpkeepStep("regroup", every: .seconds(1), startsAtOnce: true) { try await groups.run() },
                UpkeepStep(pruning: "pruneHistory", every: .seconds(3_600), startsAtOnce: true) { time in
                    try await history.prune(at: time)
                },
                UpkeepStep("submitEdits", every: .seconds(1), startsAtOnce: true) { try await edits.submitWaiting() },
                UpkeepStep("submitCopies", every: .seconds(1), startsAtOnce: true) { try await copies.submitWritten() },
                UpkeepStep(pruning: "pruneEdits", every: .seconds(3_600), startsAtOnce: true) { time in
                    try await edits.prune(at: time.before(historyRetention))
                },
                UpkeepStep(pruning: "pruneCopies", every: .seconds(3_600), startsAtOnce: true) { time in
                    try await copies.prune(finishedBefore: time.before(historyRetention))
                },
                UpkeepStep("schedules", every: .seconds(86_400), startsAtOnce: true) { [database = services.database] in
                    try await PersonalSchedules.apply(to: TypedJobKind.librarySync.kind, in: database) {
                        reader, after, limit in
                        guard syncInterval != nil else { return [] }
                        return try reader.connections.people(connectedTo: providers, after: after, limit: limit)
                    } set: { transaction, userID, now in
                        try transaction.syncs.schedule(
                            isConnected: true, userID: userID, interval: syncInterval, now: now)
                    }
                },
            ],
            pages: [
                SitePage("/library", module: "library/library.js", section: "library"),
                SitePage("/library/tracks/:id", module: "library/track.js", section: "library"),
                SitePage("/library/albums/:id", module: "library/album.js", section: "library"),
                SitePage("/library/playlists/:id", module: "library/playlist.js", section: "library"),
                SitePage("/library/copies/:id", module: "library/copy.js", section: "library"),
                SitePage("/library/artists", module: "library/artist.js", section: "library"),
                SitePage("/library/changes", module: "library/changes.js", section: "library"),
                SitePage("/library/settings", module: "library/settings.js", section: "library"),
                SitePage("/library/duplicates", module: "library/duplicates.js", section: "library"),
            ])
    }
}
