import Concerts
import Curation
import Jobs
import Library
import LinkedAccounts
import Listening
import Messaging
import Model
import Pictures

extension GatewayDomain {
    /// All domains of the gateway. A new domain is added to this list.
    package static func all(_ services: GatewayServices, _ settings: DomainSettings) -> [GatewayDomain] {
        let catalog = CatalogService(queue: services.queue, spotifyClientID: settings.spotify?.clientID)
        let uploads = ImportUploads(folder: settings.imports, limits: settings.importLimits)
        return [
            .site,
            .operations(services, messages: settings.messages),
            .accounts(services, google: settings.google) { userID in
                await settings.imports.removeFiles(ofUser: userID, in: services.database)
            },
            .jobs(services, retention: settings.jobs.retention, schedules: settings.schedules),
            .library(
                services, spotifyClientID: settings.spotify?.clientID, syncInterval: settings.librarySyncInterval,
                historyRetention: settings.libraryHistoryRetention),
            .imports(services, uploads: uploads, historyRetention: settings.libraryHistoryRetention),
            .listening(services, spotifyInterval: settings.spotifyPlaysInterval),
            .curation(
                services, spotifyClientID: settings.spotify?.clientID, monthlyTokens: settings.monthlyTokens,
                geminiModel: settings.geminiModel, endpointModels: settings.endpointModels,
                prices: settings.tokenPrices, recommendationInterval: settings.recommendationInterval,
                retention: settings.curationRetention),
            .concerts(
                services, freshness: settings.concertFreshness, cityNames: settings.cityNames,
                retention: settings.jobs.retention, artistRetention: settings.artistRetention, catalog: catalog),
            .catalog(services, catalog),
            .pictures(services, folder: settings.pictures),
            .previews(services, hosts: settings.previewHosts),
            .setup(
                services, cityNames: settings.cityNames, spotify: settings.spotify,
                appleMusic: settings.appleMusic,
                scheduleLibraryRemoval: { provider, userID, transaction in
                    try LibraryRemovals.schedule(provider, userID: userID, in: transaction)
                    if provider == .spotify { try transaction.listening.endReading(userID: userID) }
                    try CatalogService.forget(provider, userID: userID, in: transaction)
                }),
        ]
    }
}

/// The configuration of the domains.
package struct DomainSettings: Sendable {
    let messages: MessageRouter
    package var jobs = JobSettings()
    package var schedules: [RecurringSchedule] = []
    /// How long events in the database count as fresh, so that Ticketmaster is not asked again.
    package var concertFreshness = Duration.seconds(86_400)
    /// How long an artist is kept after the last search for it.
    package var artistRetention = Duration.seconds(90 * 86_400)
    package var cityNames = CityNames.builtIn
    /// The interval at which people's libraries are read; `nil` where they are only read on request.
    package var librarySyncInterval: Duration?
    /// The interval at which people's plays are read from Spotify while they listen; `nil` where they are not read.
    package var spotifyPlaysInterval: Duration?
    /// The most tokens that models use for one person in a month; `nil` for no limit.
    package var monthlyTokens: Int?
    /// Gemini's model that is asked first.
    package var geminiModel: String?
    /// What the tokens of language models cost.
    package var tokenPrices = TokenPrices()
    /// The administrator's language models. The first is used for people who have not chosen a model.
    package var endpointModels: [EndpointModel] = []
    /// The interval at which people's recommendations are made; `nil` where they are made only on request.
    package var recommendationInterval: Duration?
    /// How long lists that were made for people are kept.
    package var curationRetention = Duration.seconds(365 * 86_400)
    /// How long changes of libraries are kept.
    package var libraryHistoryRetention = Duration.seconds(365 * 86_400)
    /// The files that people import.
    let imports: ImportFolder
    /// The most bytes of one imported file, and of all together.
    package var importLimits = ImportUploads.Limits()
    /// The pictures that were fetched.
    let pictures: PictureFolder
    /// The hosts from which pages may play previews.
    let previewHosts: MediaHosts
    /// `nil` where Spotify cannot be connected.
    package var spotify: SpotifyAuthorizations?
    /// How people sign in with Apple; `nil` where the installation has no developer key for Apple Music, so that
    /// people need one of their own.
    package var appleMusic: AppleMusicSignIn?
    /// `nil` where sign-in with Google is off.
    package var google: GoogleSignInClient?

    /// - Parameter messages: its statistics are part of the gateway's metrics.
    package init(
        messages: MessageRouter, imports: ImportFolder, pictures: PictureFolder, previewHosts: MediaHosts
    ) {
        self.messages = messages
        self.imports = imports
        self.pictures = pictures
        self.previewHosts = previewHosts
    }
}
