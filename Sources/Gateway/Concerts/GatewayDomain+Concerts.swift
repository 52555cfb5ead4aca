import Concerts

extension GatewayDomain {
    /// Ranked artists and concert searches.
    ///
    /// - Parameters:
    ///   - freshness: how long an answer is served without a new lookup.
    ///   - retention: how long searches are kept.
    ///   - catalog: answers which artists people listen to most.
    ///   - artistRetention: how long an artist's answer is kept after a search last asked for it.
    static func concerts(
        _ services: GatewayServices, freshness: Duration, cityNames: CityNames, retention: Duration,
        artistRetention: Duration, catalog: CatalogService
    ) -> GatewayDomain {
        let pictures = services.pictures
        let service = ConcertService(
            queue: services.queue, freshness: freshness, cityNames: cityNames, pictures: pictures)
        let upkeep = ConcertUpkeep(
            database: services.database, searchRetention: retention, artistRetention: artistRetention)
        return GatewayDomain(
            "concerts",
            routes: { routing in
                ArtistRoutes(
                    database: services.database, pictures: pictures,
                    topArtists: { try await catalog.topArtists($0, userID: $1) },
                    maximumBodyBytes: services.maximumBodyBytes
                ).add(to: routing.signedIn)
                ConcertRoutes(
                    service: service, pictures: pictures, maximumBodyBytes: services.maximumBodyBytes
                ).add(to: routing.signedIn)
            },
            eventSources: [service.eventSource],
            upkeepSteps: [
                UpkeepStep(pruning: "prune", every: pruneInterval, startsAtOnce: true) { time in
                    try await service.prune(by: upkeep, at: time)
                }
            ],
            pages: [
                SitePage("/explore/concerts", module: "concerts/artists.js", section: "explore"),
                SitePage("/explore/concerts/:search", module: "concerts/results.js", section: "explore"),
            ])
    }
}
