import Connections
import Contracts
import Gateway
import Jobs
import Listening
import Model

extension GatewayDomain {
    /// People's listens, and the API with which programs report them.
    package static func listening(_ services: GatewayServices, settings: ListeningSettings) -> GatewayDomain {
        let spotifyInterval = settings.spotifyInterval
        let database = services.database
        let playing = PlayingNow()
        let stats = ListenColumnsCache()
        let api = ListenBrainzAPI(
            database: database, playing: playing, quota: ListenQuota(services.queue.quotas),
            stats: ListenBrainzStats(database: database, cache: stats, now: { .now() }),
            feedback: ListenFeedbackAPI(database: database, playing: playing, now: { .now() }), now: { .now() })
        let rate = ListenRate(now: { .now() })
        let removals = ListenRemovals(database: database)
        let resolving = ListenResolving(database: database)
        let feedbackSearch = ListenFeedbackSearch(database: database)
        return GatewayDomain(
            "listening",
            routes: { routing in
                ListeningRoutes(database: database, playing: playing).add(to: routing.signedIn)
                ListeningStatsRoutes(database: database, cache: stats, now: { .now() }).add(to: routing.signedIn)
                ListenExportRoutes(database: database).add(to: routing.signedIn)
                ListenFeedbackRoutes(database: database).add(to: routing.signedIn)
            },
            // It is added before the limits of requests, which it applies itself, since its refusals have another form.
            monitoringRoutes: { router, authentication in
                router.add(
                    middleware: ListenBrainzMiddleware(
                        api: api, admission: authentication.admission, throttle: authentication.throttle, rate: rate))
            },
            eventSources: [ListeningRoutes.eventSource],
            upkeepSteps: [
                UpkeepStep("removeSources", every: .seconds(5), startsAtOnce: true) { try await removals.run() },
                UpkeepStep("resolve", every: .seconds(2), startsAtOnce: true) { try await resolving.run() },
                UpkeepStep("searchFeedback", every: .seconds(10), startsAtOnce: true) {
                    try await feedbackSearch.run()
                },
                UpkeepStep("schedules", every: .seconds(86_400), startsAtOnce: true) {
                    try await PersonalSchedules.apply(to: TypedJobKind.listeningReadSpotify.kind, in: database) {
                        reader, after, limit in
                        guard spotifyInterval != nil else { return [] }
                        return try reader.connections.people(
                            connectedTo: [Provider.spotify.rawValue], after: after, limit: limit)
                    } set: { transaction, userID, now in
                        guard let spotifyInterval else { return }
                        try transaction.listening.scheduleReading(every: spotifyInterval, userID: userID, now: now)
                    }
                },
                UpkeepStep("countPlays", every: .seconds(2), startsAtOnce: true) { try await resolving.count() },
                UpkeepStep("renewResolved", every: .seconds(60), startsAtOnce: true) { try await resolving.renew() },
            ],
            pages: [
                SitePage(
                    "/listening", module: "listening/listening.js", section: "library",
                    link: PageLink("Listening", icon: "waves")),
                SitePage("/listening/stats", module: "listening/stats.js", section: "library"),
                SitePage("/listening/feedback", module: "listening/feedback.js", section: "library"),
                SitePage("/listening/programs", module: "listening/programs.js", section: "library"),
                SitePage("/users/:username/stats", module: "listening/person-stats.js", section: "profile"),
            ])
    }
}
