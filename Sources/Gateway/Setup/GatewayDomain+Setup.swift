import Concerts
import LinkedAccounts
import Model
import Storage
import Vault

extension GatewayDomain {
    /// The setup: keys that people enter, and their connections to Spotify.
    ///
    /// - Parameters:
    ///   - spotify: `nil` when nobody can connect Spotify.
    ///   - appleMusic: `nil` where the installation has no developer key for Apple Music.
    ///   - scheduleLibraryRemoval: called when a person disconnects a service.
    static func setup(
        _ services: GatewayServices, cityNames: CityNames, spotify: SpotifyAuthorizations?,
        appleMusic: AppleMusicSignIn?,
        scheduleLibraryRemoval: @escaping ScheduleLibraryRemoval = { _, _, _ in }
    ) -> GatewayDomain {
        let service = SetupService(
            queue: services.queue, sealer: services.sealer, cityNames: cityNames, spotifyClientID: spotify?.clientID,
            spotifyRedirectURI: { [address = services.address, isUsable = spotify != nil] in
                isUsable ? address.url.map { $0 + SpotifyService.callbackPath } : nil
            },
            hasAppleMusicKey: appleMusic != nil, scheduleLibraryRemoval: scheduleLibraryRemoval)
        let spotify = SpotifyService(
            queue: services.queue, authorizations: spotify, scheduleLibraryRemoval: scheduleLibraryRemoval)
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
                SitePage("/setup", module: "setup/setup.js", section: "feed"),
                SitePage("/setup/spotify", module: "setup/setup-spotify.js", section: "feed"),
                SitePage("/setup/gemini", module: "setup/setup-gemini.js", section: "feed"),
                SitePage("/setup/ticketmaster", module: "setup/setup-ticketmaster.js", section: "feed"),
                SitePage(
                    "/setup/apple-music", module: "setup/setup-apple-music.js", section: "feed",
                    policy: appleMusic?.policy),
            ])
    }
}

/// Schedules the deletion of what was read from a person's library at a service, in the transaction that ends the
/// connection. It does nothing for a service without a library.
package typealias ScheduleLibraryRemoval =
    @Sendable (_ provider: Provider, _ userID: String, _ transaction: WriteTransaction) throws -> Void
