import Bootstrap
import Connections
import Contracts
import Gateway
import Jobs
import Messaging
import Vault

extension DomainSettings {
    /// - Throws: what is wrong with a file that the configuration names.
    init(
        _ configuration: BacklineConfiguration, jobs: JobSettings, messages: MessageRouter, sealer: CurrentPublicKey
    ) throws {
        self.init(messages: messages)
        self.jobs = jobs
        schedules = try configuration.recurringSchedules
        concertFreshness = configuration.concerts.freshness
        artistRetention = configuration.concerts.artistRetention
        cityNames = try configuration.cityNames
        spotify = configuration.spotify.clientID.map { clientID in
            SpotifyAuthorizations(
                sealer: sealer, clientID: clientID, accountsURL: configuration.upstreams[.spotifyAccounts].baseURL)
        }
        google = configuration.google.clientIDs.first.map { clientID in
            GoogleSignInClient(clientID: clientID, servesBrowsers: configuration.google.clientSecretFile != nil)
        }
    }
}
