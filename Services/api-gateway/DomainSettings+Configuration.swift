import Bootstrap
import Contracts
import Foundation
import Gateway
import Jobs
import LinkedAccounts
import Messaging
import Vault

extension DomainSettings {
    /// - Throws: an error about a file or a schedule of the configuration.
    init(
        _ configuration: BacklineConfiguration, jobs: JobSettings, messages: MessageRouter, sealer: CurrentPublicKey
    ) throws {
        self.init(messages: messages)
        self.jobs = jobs
        schedules = try configuration.recurringSchedules
        concertFreshness = configuration.concerts.freshness
        artistRetention = configuration.concerts.artistRetention
        cityNames = try configuration.cityNames
        librarySyncInterval = configuration.library.syncInterval
        libraryHistoryRetention = configuration.library.historyRetention
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

extension BacklineConfiguration {
    /// Where a stand-in for Ticketmaster serves its pictures: a base URL without TLS is one of this machine.
    var pictureOrigins: [String] {
        let text = upstreams[.ticketmaster].baseURL
        guard var url = URLComponents(string: text), url.scheme == "http" else { return [] }
        (url.path, url.query, url.fragment) = ("", nil, nil)
        return url.string.map { [$0] } ?? []
    }
}
