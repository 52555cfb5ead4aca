import Contracts
import Curation
import Jobs
import Library
import Model

extension GatewayDomain {
    /// Lists of songs that are made for people.
    ///
    /// - Parameters:
    ///   - spotifyClientID: the installation's client id; `nil` where people need an app of their own.
    ///   - monthlyTokens: the most tokens that models use for one person in a month; `nil` for no limit.
    ///   - geminiModel: Gemini's model that is asked first.
    ///   - endpointModels: the administrator's models. The first is used for people who have not chosen a model.
    ///   - prices: what the tokens of models cost.
    ///   - recommendationInterval: the interval at which people's recommendations are made; `nil` for only on request.
    ///   - retention: how long lists are kept.
    static func curation(
        _ services: GatewayServices, spotifyClientID: String?, monthlyTokens: Int?, geminiModel: String?,
        endpointModels: [EndpointModel], prices: TokenPrices, recommendationInterval: Duration?, retention: Duration
    ) -> GatewayDomain {
        let service = CurationService(
            queue: services.queue, monthlyTokens: monthlyTokens, geminiModel: geminiModel,
            endpointModels: endpointModels, prices: prices, recommendationInterval: recommendationInterval)
        let edits = LibraryEditService(queue: services.queue, spotifyClientID: spotifyClientID)
        return GatewayDomain(
            "curation",
            routes: { routing in
                CurationRoutes(
                    service: service, edits: edits, pictures: services.pictures,
                    maximumBodyBytes: services.maximumBodyBytes
                ).add(to: routing.signedIn)
                BlendPartnerRoutes(queue: services.queue, maximumBodyBytes: services.maximumBodyBytes)
                    .add(to: routing.signedIn)
                DismissalRoutes(database: services.database).add(to: routing.signedIn)
            },
            eventSources: [service.eventSource(services.pictures), BlendPartnerRoutes.eventSource],
            upkeepSteps: [
                UpkeepStep(pruning: "prune", every: .seconds(3_600), startsAtOnce: true) { time in
                    try await service.prune(at: time.before(retention))
                },
                UpkeepStep("schedules", every: .seconds(86_400), startsAtOnce: true) { [database = services.database] in
                    try await PersonalSchedules.apply(to: TypedJobKind.curationRecommend.kind, in: database) {
                        reader, after, limit in
                        guard recommendationInterval != nil else { return [] }
                        let since = Timestamp.now().advanced(by: .seconds(-30 * 86_400))
                        return try reader.curation.peopleWantingRecommendations(
                            since: since, after: after, limit: limit)
                    } set: { transaction, userID, now in
                        try transaction.curation.scheduleRecommendations(
                            every: recommendationInterval, userID: userID, now: now)
                    }
                },
            ],
            pages: [
                SitePage("/explore/playlists", module: "curation/playlists.js", section: "explore"),
                SitePage("/explore/playlists/:id", module: "curation/playlist.js", section: "explore"),
                SitePage("/explore/growth/:id", module: "curation/growth.js", section: "explore"),
                SitePage("/explore/dismissals", module: "curation/dismissals.js", section: "explore"),
                SitePage("/explore/blends", module: "curation/blends.js", section: "explore"),
                SitePage("/explore/blends/:id", module: "curation/blend.js", section: "explore"),
            ])
    }
}
