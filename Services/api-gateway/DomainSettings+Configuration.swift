import Bootstrap
import Contracts
import Curation
import Gateway
import Jobs
import Library
import LinkedAccounts
import Messaging
import Pictures
import Vault

extension DomainSettings {
    /// - Throws: an error about a file or a schedule of the configuration.
    init(
        _ configuration: BacklineConfiguration, jobs: JobSettings, messages: MessageRouter, sealer: CurrentPublicKey
    ) throws {
        self.init(
            messages: messages, imports: ImportFolder(configuration.imports),
            pictures: PictureFolder(configuration.pictures), previewHosts: configuration.previewHosts)
        importLimits = ImportUploads.Limits(
            maximumBytes: configuration.imports.maximumBytes, capacity: configuration.imports.capacity,
            reserve: configuration.imports.reserve)
        self.jobs = jobs
        schedules = try configuration.recurringSchedules
        concertFreshness = configuration.concerts.freshness
        artistRetention = configuration.concerts.artistRetention
        cityNames = try configuration.cityNames
        librarySyncInterval = configuration.library.syncInterval
        spotifyPlaysInterval = configuration.listening.spotifyInterval
        libraryHistoryRetention = configuration.library.historyRetention
        monthlyTokens = configuration.ai.monthlyTokens
        geminiModel = configuration.ai.geminiModels.first
        tokenPrices = configuration.ai.prices
        endpointModels = configuration.ai.endpoints.map { EndpointModel(endpoint: $0.name, model: $0.model) }
        recommendationInterval = configuration.ai.recommendationInterval
        curationRetention = configuration.ai.historyRetention
        spotify =
            configuration.spotify.isReachable
            ? SpotifyAuthorizations(
                sealer: sealer, clientID: configuration.spotify.clientID,
                accountsURL: configuration.upstreams[.spotifyAccounts].baseURL) : nil
        appleMusic = configuration.appleMusic.developerKey.map { _ in
            AppleMusicSignIn(
                scriptURL: configuration.appleMusic.scriptURL, origins: configuration.appleMusic.signInOrigins)
        }
        google = configuration.google.clientIDs.first.map { clientID in
            GoogleSignInClient(clientID: clientID, servesBrowsers: configuration.google.clientSecretFile != nil)
        }
    }
}
