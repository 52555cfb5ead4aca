import Bootstrap
import Google
import Logging
import Model
import Settings
import Upstream

/// Google's sign-in, with the installation's clients.
package struct GoogleProvider: OpenedProvider {
    private let client: GoogleClient
    private let discovery: GoogleDiscovery
    private let verifier: IDTokenVerifier
    private let clientID: String
    private let secretFile: String?
    private let logger: Logger

    fileprivate init(clientIDs: [String], clientID: String, providers: ProviderSet, runtime: UpstreamRuntime) throws {
        let issuer = try BaseURL(providers.configuration.upstreams[.google].baseURL)
        // Somebody waits in front of a page. The limit applies to the client id, across all of Google's servers.
        let client = GoogleClient(issuer: issuer) { [providers] request, server in
            try await providers.calls(.google, by: runtime, at: server, timeout: RetryPolicy.interactiveTimeout)(
                Secret(clientID), .interactive
            ).send(request)
        }
        let discovery = GoogleDiscovery { try await client.endpoints() }
        let keys = GoogleKeys { try await client.keys(at: discovery.endpoints()) }
        self.client = client
        self.discovery = discovery
        verifier = IDTokenVerifier(clientIDs: clientIDs, keys: keys)
        self.clientID = clientID
        secretFile = providers.configuration.google.clientSecretFile
        logger = providers.logger
    }

    /// The addresses of Google's endpoints.
    ///
    /// - Throws: ``ProviderFailure``.
    package func endpoints() async throws -> GoogleClient.Endpoints {
        try await translating { try await discovery.endpoints() }
    }

    /// Exchanges a code for an ID token.
    ///
    /// - Throws: ``ProviderFailure``.
    package func idToken(code: Secret, redirectURI: String, codeVerifier: Secret) async throws -> Secret {
        try await translating {
            // Read for each exchange, so that the secret can be changed without a restart.
            let secret = try clientSecret()
            return try await client.idToken(
                code: code, verifier: codeVerifier, redirectURI: redirectURI, clientID: clientID,
                clientSecret: secret, at: discovery.endpoints())
        }
    }

    /// Verifies an ID token.
    ///
    /// - Throws: ``IDTokenError``; ``ProviderFailure`` when it cannot be verified now.
    package func verify(_ idToken: Secret, nonce: String?) async throws -> GoogleIdentity {
        try await translating { try await verifier.verify(idToken, nonce: nonce) }
    }

    /// Logs an unusable address. Google's addresses are the only ones named at run time, so no check at startup can
    /// find wrong ones.
    private func translating<Value>(_ call: () async throws -> Value) async throws -> Value {
        do {
            return try await ProviderFailure.translating(.google, call)
        } catch let failure as ProviderFailure where failure.kind == .addressUnusable {
            UpstreamLog(logger: logger).recordUnusableAddress(failure)
            throw failure
        }
    }

    private func clientSecret() throws -> Secret {
        guard let secretFile else { throw Self.clientSecretUnreadable }
        do {
            return try SecretFile.read(secretFile)
        } catch {
            logger.warning(
                "google.clientSecretFile cannot be used", metadata: ["path": "\(secretFile)", "reason": "\(error)"])
            throw Self.clientSecretUnreadable
        }
    }

    private static let clientSecretUnreadable = ProviderFailure(
        .google, .credentialMissing,
        message: "This Backline cannot read its Google client secret. Whoever runs it can find the reason in the "
            + "worker's log (google.clientSecretFile).")
}

extension ProviderSet {
    /// - Returns: `nil` when no client is configured.
    /// - Throws: ``UpstreamError/invalidBaseURL(_:)``.
    package func google() throws -> GoogleProvider? {
        let clientIDs = configuration.google.clientIDs
        guard let clientID = clientIDs.first else { return nil }
        return try opened {
            try GoogleProvider(clientIDs: clientIDs, clientID: clientID, providers: self, runtime: $0)
        }
    }
}
