import Contracts
import JobStorage
import Model
import Storage
import Vault

/// All steps of a person's setup.
package struct SetupChecklist: Sendable {
    package static let required: [Provider] = [.spotify, .gemini, .ticketmaster]
    package static let optional: [Provider] = [.appleMusic]

    package var steps: [SetupStep]
    package var optional: [SetupStep]

    package var completed: Int { steps.count { $0.state == .complete } }

    /// - Parameters:
    ///   - kinds: all kinds of jobs, whose scopes Spotify has to grant.
    ///   - city: the person's home city.
    ///   - spotifyClientID: the installation's client id at Spotify; `nil` if people need their own app.
    ///   - spotifyRedirectURI: the address to register with one's own app; `nil` if Spotify accepts none.
    ///   - hasAppleMusicKey: whether the installation has a developer key for Apple Music.
    ///   - vaultReaders: the keys with which the connected workers can open secrets.
    /// - Throws: ``UnknownConnectionState``, and what the database throws.
    package init(
        userID: String, kinds: JobKinds, city: String?, spotifyClientID: String?, spotifyRedirectURI: String? = nil,
        hasAppleMusicKey: Bool = false,
        vaultReaders: [VaultReader], in reader: some SQLReader, now: Timestamp = .now()
    ) throws {
        let records = try reader.connections.records(userID: userID)
        let secrets = try reader.vault.secretHints(userID: userID)
        let awaitedScopes = try reader.jobs.awaitedScopes(ofUser: userID)
        let question = try AccountQuestion.open(userID: userID, in: reader, now: now)
        let apps = try reader.connections.spotifyApps(userID: userID, installation: spotifyClientID)
        let spotify = records.first { $0.provider == Provider.spotify.rawValue }
        let authorizingUntil = try reader.vault.authorizationEnd(
            userID: userID, provider: Provider.spotify.rawValue, since: spotify?.authorizedAt, now: now)
        func step(_ provider: Provider) throws -> SetupStep {
            try SetupStep(
                provider, record: records.first { $0.provider == provider.rawValue },
                apps: provider == .spotify ? apps : nil,
                redirectURI: provider == .spotify ? spotifyRedirectURI : nil,
                secrets: secrets.filter { $0.provider == provider.rawValue },
                question: provider == .spotify ? question : nil,
                formerAccounts: reader.connections.formerAccounts(userID: userID, provider: provider.rawValue),
                authorizingUntil: provider == .spotify ? authorizingUntil : nil,
                awaitedScopes: awaitedScopes[provider.rawValue] ?? [], kinds: kinds, city: city,
                hasInstallationKey: provider == .appleMusic && hasAppleMusicKey, vaultReaders: vaultReaders, now: now)
        }
        steps = try Self.required.map(step)
        optional = try Self.optional.map(step)
    }

    package func step(_ provider: Provider) -> SetupStep? {
        (steps + optional).first { $0.provider == provider }
    }
}
