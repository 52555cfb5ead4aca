import Concerts

extension GatewayDomain {
    /// People's ranked artists, and their searches for concerts.
    ///
    /// - Parameters:
    ///   - freshness: how long an answer is served without asking the upstream again.
    ///   - retention: how long searches are kept.
    ///   - artistRetention: how long an artist is kept that nobody asks for any more.
    static func concerts(
        _ services: GatewayServices, freshness: Duration, cityNames: CityNames, retention: Duration,
        artistRetention: Duration
    ) -> GatewayDomain {
        let desk = ConcertDesk(queue: services.queue, freshness: freshness, cityNames: cityNames)
        let upkeep = ConcertUpkeep(
            database: services.database, searchRetention: retention, artistRetention: artistRetention)
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
                    try await desk.prune(by: upkeep, at: time)
                },
            ],
            pages: [
                SitePage("/explore/concerts", module: "concerts/artists.js", section: "explore"),
                SitePage("/explore/concerts/:search", module: "concerts/results.js", section: "explore"),
            ])
    }
}
