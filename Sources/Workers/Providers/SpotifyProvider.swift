import Bootstrap
import Connections
import Model
import Spotify
import Storage
import Upstream
import Vault

/// Spotify, for all people: with the installation's client id, or with that of a person's own app.
package struct SpotifyProvider: OpenedProvider {
    /// The installation's client id; `nil` if only people with their own app can connect.
    package let clientID: String?
    private let apps: SpotifyAppSet
    let database: Database

    /// Logs why a person's secrets cannot be used.
    package let onVaultTrouble: @Sendable (VaultError) -> Void

    fileprivate init(providers: ProviderSet, runtime: UpstreamRuntime) throws {
        clientID = providers.configuration.spotify.clientID
        database = providers.database
        onVaultTrouble = { [logger = providers.logger] error in
            logger.warning("a person's Spotify secrets cannot be used", metadata: ["error": "\(error)"])
        }
        apps = SpotifyAppSet(
            calls: try SpotifyApp.Calls(providers: providers, runtime: runtime), database: providers.database,
            vault: providers.vault, onVaultTrouble: onVaultTrouble)
    }

    /// Makes a call for a person, with their access token (``TokenKeeper/call(userID:scopes:_:)``).
    ///
    /// - Parameters:
    ///   - scopes: the scopes that the call needs. If one of them was not granted, nothing is sent.
    ///   - urgency: whether somebody waits for it.
    ///   - isAwaited: whether a request waits for it, for at most 15 s. Then it is repeated at most once,
    ///     and never after a long pause.
    /// - Throws: ``ProviderFailure``. Answers that the call expects are values (``SpotifyClient/Answer``).
    package func call<Value: Sendable>(
        userID: String, scopes: [String] = [], urgency: UpstreamRequest.Urgency = .interactive,
        isAwaited: Bool = false, _ body: (SpotifyClient) async throws -> Value
    ) async throws -> Value {
        var clientID = try await clientID(of: userID)
        while true {
            do {
                return try await apps.app(clientID).call(
                    userID: userID, scopes: scopes, urgency: urgency, isAwaited: isAwaited, body)
            } catch let failure as ProviderFailure where failure.kind == .connectionNeeded {
                // The person may have connected with another app in the meantime.
                let present = try await self.clientID(of: userID)
                guard present != clientID else { throw failure }
                clientID = present
            }
        }
    }

    /// The client id of the app that a person's connection belongs to.
    private func clientID(of userID: String) async throws -> String {
        let clientID = try await database.read { [installation = clientID] reader in
            let record = try reader.connections.record(userID: userID, provider: Provider.spotify.rawValue)
            return try reader.connections.spotifyApps(userID: userID, installation: installation).client(of: record)
        }
        guard let clientID else {
            throw ProviderFailure(
                .spotify, .connectionNeeded,
                message: "This Backline has no Spotify app. Enter the client id of your own app in the setup.")
        }
        return clientID
    }

    /// Exchanges a code for tokens of an app. Errors are ``ProviderFailure``.
    package func exchange(
        code: Secret, clientID: String, redirectURI: String, verifier: Secret
    ) async throws -> ConnectionTokens {
        try await apps.app(clientID).accounts.exchange(code: code, redirectURI: redirectURI, verifier: verifier)
    }

    /// Makes a call with a token that does not belong to a connection yet, within 4 s, since somebody waits in front of
    /// a page.
    ///
    /// - Parameter clientID: the app that the token belongs to.
    package func quickCall<Value: Sendable>(
        accessToken: Secret, clientID: String, _ body: (SpotifyClient) async throws -> Value
    ) async throws -> Value {
        try await apps.app(clientID).quickCall(accessToken: accessToken, body)
    }

    var unfinishedUntil: MonotonicInstant? { apps.all.compactMap(\.refreshesEnd).max() }

    /// See ``TokenKeeper/finish(by:)``.
    func finish(by deadline: MonotonicInstant) async {
        await withTaskGroup { group in
            for app in apps.all { group.addTask { await app.finish(by: deadline) } }
        }
    }
}

extension ProviderSet {
    /// - Throws: ``UpstreamError/invalidBaseURL(_:)``.
    package func spotify() throws -> SpotifyProvider {
        try opened { try SpotifyProvider(providers: self, runtime: $0) }
    }
}
