import AppleMusic
import Connections
import Model
import Upstream

/// Apple Music, with the user tokens that people have entered, and their own developer keys or the installation's.
package struct AppleMusicProvider: OpenedProvider {
    private let calls: @Sendable (Secret?, RetryPolicy) -> UpstreamClient
    private let awaitedCalls: @Sendable (Secret?, RetryPolicy) -> UpstreamClient
    private let candidateCalls: @Sendable (Secret?, RetryPolicy) -> UpstreamClient
    private let credentials: AppleMusicCredentials
    private let installation: InstallationAppleMusicKey?
    private let tokens = AppleMusicDeveloperTokens()

    fileprivate init(providers: ProviderSet, runtime: UpstreamRuntime) throws {
        calls = try providers.calls(.appleMusic, by: runtime)
        awaitedCalls = try providers.calls(.appleMusic, by: runtime, timeout: RetryPolicy.interactiveTimeout)
        candidateCalls = try providers.calls(
            .appleMusic, by: runtime, forCandidates: true, timeout: RetryPolicy.interactiveTimeout)
        let logger = providers.logger
        credentials = AppleMusicCredentials(database: providers.database, vault: providers.vault) { error in
            logger.warning("a person's Apple Music secrets cannot be used", metadata: ["error": "\(error)"])
        }
        installation = providers.configuration.appleMusic.developerKey.map {
            InstallationAppleMusicKey($0, logger: logger)
        }
    }

    /// Makes a call for a person, with their user token. Stores what its outcome means for their connection.
    ///
    /// If Apple refuses the developer token, a new one is signed and the call is repeated, once. If the installation's
    /// key is refused again, the failure is of the kind `clientRefused`, and nobody has to reconnect.
    ///
    /// - Parameters:
    ///   - urgency: whether somebody waits for it.
    ///   - isAwaited: whether a request waits for it, for at most 15 s. Then it is repeated at most once,
    ///     and never after a long pause.
    ///   - body: makes the call; it may run twice.
    /// - Throws: ``ProviderFailure``, and the other errors of `body` and of the database.
    package func call<Value: Sendable>(
        userID: String, urgency: UpstreamRequest.Urgency = .interactive, isAwaited: Bool = false,
        _ body: (AppleMusicClient) async throws -> Value
    ) async throws -> Value {
        let credential = try await credentials.credential(userID: userID)
        let client =
            isAwaited
            ? awaitedCalls(credential.userToken, .interactive)
            : calls(credential.userToken, RetryPolicy(waitLimit: .seconds(60)))
        do {
            let value = try await signed(by: credential.ownKey.map { AppleMusicDeveloperKey($0) }) { token in
                try await body(
                    AppleMusicClient(
                        developerToken: { token }, userToken: credential.userToken, urgency: urgency,
                        send: { try await client.send($0) }))
            }
            try await credentials.answered(userID: userID)
            return value
        } catch let failure as ProviderFailure {
            try await credentials.failed(failure, with: credential, userID: userID)
            throw failure
        }
    }

    /// Whether the installation has a developer key, with which the catalog can be asked for nobody in particular.
    package var hasInstallationKey: Bool { installation != nil }

    /// Makes a call to the catalog with the installation's developer key. No person is concerned: there is no user
    /// token, and the outcome changes nobody's connection.
    ///
    /// - Parameters:
    ///   - urgency: whether somebody waits for it.
    ///   - body: makes the call, which must not be about a library; it may run twice.
    /// - Throws: ``ProviderFailure``, of the kind `credentialMissing` without such a key; other errors of `body`.
    package func catalogCall<Value: Sendable>(
        urgency: UpstreamRequest.Urgency, _ body: (AppleMusicClient) async throws -> Value
    ) async throws -> Value {
        let client = calls(nil, RetryPolicy(waitLimit: .seconds(60)))
        return try await signed(by: nil) { token in
            try await body(
                AppleMusicClient(
                    developerToken: { token }, userToken: Secret(""), urgency: urgency,
                    send: { try await client.send($0) }))
        }
    }

    /// A text that changes with each user token that a person enters, and reveals nothing of the token. Apple does not
    /// name the account, so another token may belong to another account.
    ///
    /// - Throws: ``ProviderFailure`` of the kind `connectionNeeded` when they have entered none.
    package func credentialMark(userID: String) async throws -> String {
        try await credentials.mark(userID: userID)
    }

    /// Verifies keys and a token by reading the storefront, while somebody waits.
    ///
    /// - Parameter ownKey: `nil` for the installation's.
    /// - Throws: ``ProviderFailure``.
    package func storefront(ownKey: AppleMusicDeveloperKey?, userToken: Secret) async throws -> String {
        let client = candidateCalls(userToken, .interactive)
        return try await signed(by: ownKey) { token in
            try await AppleMusicClient(
                developerToken: { token }, userToken: userToken, send: { try await client.send($0) }
            ).storefront()
        }
    }

    // MARK: Developer tokens

    /// Signs a token with the installation's key for this site's pages on which people sign in with Apple.
    ///
    /// - Parameter origin: the site's origin.
    /// - Throws: ``ProviderFailure`` of the kind `credentialMissing`.
    package func pageToken(origin: String) async throws -> AppleMusicDeveloperKey.PageToken {
        do {
            guard let key = try installation?.key() else { throw Self.keyMissing }
            return try await translating(nil) { try await key.pageToken(origin: origin) }
        } catch let failure as ProviderFailure {
            installation?.failed(failure)
            throw failure
        }
    }

    private static let keyMissing = ProviderFailure(
        .appleMusic, .credentialMissing,
        message: "This Backline has no Apple developer key. Enter your own in the setup, or ask whoever runs it to "
            + "configure one (appleMusic.teamID).")

    /// Makes a call with a developer token signed by the person's own key or, if they have none, the installation's.
    private func signed<Value>(
        by ownKey: AppleMusicDeveloperKey?, _ call: (Secret) async throws -> Value
    ) async throws -> Value {
        do {
            let first = try await token(of: ownKey)
            do {
                return try await translating(ownKey) { try await call(first.token) }
            } catch let failure as ProviderFailure where failure.isAboutDeveloperKey {
                tokens.forget(first.token)
                guard !first.isNew else { throw failure }
                let second = try await token(of: ownKey)
                return try await translating(ownKey) { try await call(second.token) }
            }
        } catch let failure as ProviderFailure where ownKey == nil {
            if failure.isAboutDeveloperKey || failure.kind == .credentialMissing { installation?.failed(failure) }
            throw failure
        }
    }

    private func token(of ownKey: AppleMusicDeveloperKey?) async throws -> (token: Secret, isNew: Bool) {
        guard let key = try ownKey ?? installation?.key() else { throw Self.keyMissing }
        return try await translating(ownKey) { try await tokens.token(of: key) }
    }

    private func translating<Value>(
        _ ownKey: AppleMusicDeveloperKey?, _ call: () async throws -> Value
    ) async throws -> Value {
        do {
            return try await call()
        } catch let error as AppleMusicError where ownKey == nil {
            throw error.installationFailure(at: .now())
        } catch {
            throw ProviderFailure(error, of: .appleMusic) ?? error
        }
    }
}

extension ProviderFailure {
    /// Whether Apple refuses the developer token, regardless of whose key signed it.
    fileprivate var isAboutDeveloperKey: Bool { kind == .keyRefused || kind == .clientRefused }
}

extension AppleMusicDeveloperKey {
    fileprivate init(_ key: AppleMusicCredentials.DeveloperKey) {
        self.init(teamID: key.teamID, keyID: key.keyID, privateKey: key.privateKey)
    }
}

extension ProviderSet {
    /// - Throws: ``UpstreamError/invalidBaseURL(_:)``.
    package func appleMusic() throws -> AppleMusicProvider {
        try opened { try AppleMusicProvider(providers: self, runtime: $0) }
    }
}
