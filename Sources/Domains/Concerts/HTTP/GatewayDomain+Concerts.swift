import Accounts
import Concerts
import Gateway

extension GatewayDomain {
    /// Ranked artists and concert searches.
    ///
    /// - Parameters:
    ///   - retention: how long searches are kept.
    ///   - topArtists: the artists that people listen to most.
    package static func concerts(
        _ services: GatewayServices, settings: ConcertSettings, cityNames: CityNames, retention: Duration,
        topArtists: @escaping TopArtists
    ) -> GatewayDomain {
        let pictures = services.pictures
        let service = ConcertService(
            queue: services.queue, freshness: settings.freshness, cityNames: cityNames, pictures: pictures)
        let upkeep = ConcertUpkeep(
            database: services.database, searchRetention: retention, artistRetention: settings.artistRetention)
        let feed = ConcertFeed(
            queue: services.queue,
            refreshes: ConcertRefreshes(
                callsPerDay: settings.refreshCallsPerDay, freshness: settings.freshness))
        let watching = ConcertWatching(
            cityNames: cityNames, homeCity: { try $0.accounts.homeCity(userID: $1) })
        let readings = CalendarReadings()
        return GatewayDomain(
            "concerts",
            routes: { routing in
                ArtistRoutes(
                    database: services.database, pictures: pictures,
                    topArtists: topArtists,
                    maximumBodyBytes: services.maximumBodyBytes
                ).add(to: routing.signedIn)
                ConcertRoutes(
                    service: service, pictures: pictures, maximumBodyBytes: services.maximumBodyBytes
                ).add(to: routing.signedIn)
                ShowRoutes(database: services.database, cityNames: cityNames, pictures: pictures)
                    .add(to: routing.signedIn)
                CalendarRoutes(
                    database: services.database, watching: watching, address: services.address,
                    maximumBodyBytes: services.maximumBodyBytes
                ).add(to: routing.signedIn)
                SubscribedCalendarRoutes(
                    database: services.database, cityNames: cityNames, readings: readings, proxies: services.proxies,
                    now: routing.now
                ).add(to: routing.open)
            },
            eventSources: [service.eventSource],
            upkeepSteps: [
                UpkeepStep(pruning: "prune", every: pruneInterval, startsAtOnce: true) { time in
                    try await service.prune(by: upkeep, at: time)
                },
                UpkeepStep("refresh", every: .seconds(2), startsAtOnce: true) { try await feed.refresh() },
                UpkeepStep("giveComingShows", every: .seconds(60)) { try await feed.giveOwed() },
                UpkeepStep("storeCalendarReadings", every: .seconds(60), runsAtEnd: true) {
                    try await readings.store(in: services.database)
                },
            ],
            pages: [
                SitePage("/explore/concerts", module: "concerts/artists.js", section: "explore"),
                SitePage("/explore/concerts/:search", module: "concerts/results.js", section: "explore"),
                SitePage("/explore/nearby", module: "concerts/nearby.js", section: "explore"),
                SitePage("/concerts/:id", module: "concerts/concert.js", section: "explore"),
                SitePage("/profile/calendar", module: "concerts/calendar.js", section: "profile"),
            ],
            secretPaths: [SubscribedCalendarRoutes.prefix],
            feedItemSources: .concerts(cityNames: cityNames, pictures: pictures),
            feedRefreshSources: [feed.refreshSource])
    }
}
