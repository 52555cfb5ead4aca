import Concerts

extension GatewayDomain {
    /// People's ranked artists, and their searches for concerts.
    ///
    /// - Parameters:
    ///   - freshness: how long an answer is served without asking the upstream again.
    ///   - retention: how long searches are kept.
    static func concerts(
        _ services: GatewayServices, freshness: Duration, cityNames: CityNames, retention: Duration
    ) -> GatewayDomain {
        let desk = ConcertDesk(queue: services.queue, freshness: freshness, cityNames: cityNames)
        return GatewayDomain(
            "concerts",
            routes: { routing in
                ArtistRoutes(database: services.database, maximumBodyBytes: services.maximumBodyBytes)
                    .add(to: routing.signedIn)
                ConcertRoutes(desk: desk, maximumBodyBytes: services.maximumBodyBytes).add(to: routing.signedIn)
            },
            eventSources: [desk.eventSource],
            upkeepSteps: [
                UpkeepStep(pruning: "prune", every: pruneInterval, startsAtOnce: true) { time in
                    try await desk.prune(retention: retention, at: time)
                },
            ],
            pages: [
                SitePage("/explore/concerts", module: "concerts/artists.js", section: "explore"),
                SitePage("/explore/concerts/:search", module: "concerts/results.js", section: "explore"),
            ])
    }
}
