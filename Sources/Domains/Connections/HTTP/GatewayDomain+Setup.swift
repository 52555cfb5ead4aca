import Concerts
import Connections
import Gateway
import Model
import Vault

extension GatewayDomain {
    /// The setup: keys that people enter, and their connections to Spotify.
    ///
    /// - Parameters:
    ///   - spotify: `nil` when nobody can connect Spotify.
    ///   - appleMusic: `nil` where the installation has no developer key for Apple Music.
    package static func setup(
        _ services: GatewayServices, cityNames: CityNames, spotify: SpotifyAuthorizations?,
        appleMusic: AppleMusicSignIn?
    ) -> GatewayDomain {
        let service = SetupService(
            queue: services.queue, sealer: services.sealer, cityNames: cityNames, spotifyClientID: spotify?.clientID,
            spotifyRedirectURI: { [address = services.address, isUsable = spotify != nil] in
                isUsable ? address.url.map { $0 + SpotifyService.callbackPath } : nil
            },
            hasAppleMusicKey: appleMusic != nil)
        let spotify = SpotifyService(queue: services.queue, authorizations: spotify)
        let database = services.database
        return GatewayDomain(
            "setup",
            routes: { routing in
                SetupRoutes(service: service, maximumBodyBytes: services.maximumBodyBytes).add(to: routing.signedIn)
                SpotifyRoutes(
                    service: spotify, setup: service, site: services.address,
                    maximumBodyBytes: services.maximumBodyBytes
                ).add(to: routing.signedIn)
                AppleMusicRoutes(
                    queue: services.queue, signIn: appleMusic, site: services.address, origin: services.origin
                ).add(to: routing.signedIn)
            },
            eventSources: [service.eventSource],
            upkeepSteps: [
                UpkeepStep(pruning: "pruneCandidates", every: .seconds(10)) { try await service.prune(at: $0) },
                UpkeepStep(pruning: "pruneAuthorizations", every: pruneInterval, startsAtOnce: true) { time in
                    try await database.deleteInBatches(at: time) {
                        try $0.vault.pruneAuthorizations(at: $1, limit: $2)
                    }
                },
            ],
            pages: [
                SitePage("/setup", module: "connections/setup.js", section: "feed"),
                SitePage("/setup/spotify", module: "connections/setup-spotify.js", section: "feed"),
                SitePage("/setup/gemini", module: "connections/setup-gemini.js", section: "feed"),
                SitePage("/setup/ticketmaster", module: "connections/setup-ticketmaster.js", section: "feed"),
                SitePage(
                    "/setup/apple-music", module: "connections/setup-apple-music.js", section: "feed",
                    policy: appleMusic?.policy),
            ])
    }
}
