import Bootstrap
import Concerts
import Connections
import Contracts
import ConnectionsHTTP
import AccountsHTTP
import Gateway
import Jobs
import Messaging
import Previews
import Vault

extension DomainSettings {
    /// - Throws: an error about a file or a schedule of the configuration.
    package init(
        _ configuration: BacklineConfiguration, jobs: JobSettings, kinds: JobKinds, messages: MessageRouter,
        sealer: CurrentPublicKey
    ) throws {
        self.init(
            messages: messages, sections: configuration.sections,
            previewHosts: configuration[PreviewSettings.self].hosts(baseURLs: configuration.upstreams.baseURLs))
        self.jobs = jobs
        publicURL = configuration.http.publicURL
        schedules = try configuration.recurringSchedules(kinds: kinds)
        cityNames = try configuration[ConcertSettings.self].cityNames
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
