import Contracts
import Curation
import Gateway
import Jobs
import Model

extension GatewayDomain {
    /// Lists of songs that are made for people.
    ///
    /// - Parameter beginEdit: begins the edit that creates a playlist from a list.
    package static func curation(
        _ services: GatewayServices, settings: CurationSettings, beginEdit: @escaping BeginEdit
    ) -> GatewayDomain {
        let (recommendationInterval, retention) = (settings.recommendationInterval, settings.historyRetention)
        let service = CurationService(
            queue: services.queue, monthlyTokens: settings.monthlyTokens, geminiModel: settings.geminiModels.first,
            endpointModels: settings.endpoints.map { EndpointModel(endpoint: $0.name, model: $0.model) },
            prices: settings.prices, recommendationInterval: recommendationInterval)
        return GatewayDomain(
            "curation",
            routes: { routing in
                CurationRoutes(
                    service: service, beginEdit: beginEdit, pictures: services.pictures,
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
                UpkeepStep("separateBlends", every: .seconds(60), startsAtOnce: true) {
                    try await service.separateBlends()
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
                SitePage("/explore/growth/:id", module: "curation/playlist-suggestions.js", section: "explore"),
                SitePage("/explore/dismissals", module: "curation/dismissals.js", section: "explore"),
                SitePage("/explore/blends", module: "curation/blends.js", section: "explore"),
                SitePage("/explore/blends/:id", module: "curation/blend.js", section: "explore"),
            ],
            feedItemSources: [.recommendations(services.pictures)])
    }
}
