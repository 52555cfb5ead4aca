import Accounts
import Bootstrap
import Contracts
import Google
import Logging
import Model
import Storage
import Upstream

/// What a sync-worker does at Google for those who sign in, with the installation's clients.
package struct GoogleCalls: Sendable {
    let signIn: GoogleSignIn
    let discovery: GoogleDiscovery

    /// - Returns: `nil` when no client is configured.
    /// - Throws: ``UpstreamError/invalidBaseURL(_:)``.
    package init?(
        _ configuration: BacklineConfiguration.Google, runtime: UpstreamRuntime, process: WorkerProcess
    ) throws {
        guard let clientID = configuration.clientIDs.first else { return nil }
        let issuer = try BaseURL(process.configuration.upstreams[.google].baseURL)
        // Somebody waits in front of a page. The limit is the client's, on whichever of Google's servers.
        let client = GoogleClient(issuer: issuer) { request, server in
            try await process.upstreamCalls(
                .google, runtime: runtime, at: server, timeout: RetryPolicy.verificationTimeout)(
                    Secret(clientID), .verification
                ).send(request)
        }
        let discovery = GoogleDiscovery { try await client.endpoints() }
        let keys = GoogleKeys { try await client.keys(at: discovery.endpoints()) }
        let verifier = IDTokenVerifier(clientIDs: configuration.clientIDs, keys: keys)
        let secretFile = configuration.clientSecretFile
        let logger = process.logger
        self.discovery = discovery
        signIn = GoogleSignIn(
            database: process.database, vault: process.vault, signUp: configuration.signUp,
            redeem: { code, redirectURI, codeVerifier in
                try await GoogleSignIn.Failure.translating {
                    // Read for each, so that a secret can be changed while everything runs.
                    let secret = try Self.clientSecret(in: secretFile, logger: logger)
                    return try await client.idToken(
                        code: code, verifier: codeVerifier, redirectURI: redirectURI, clientID: clientID,
                        clientSecret: secret, at: discovery.endpoints())
                }
            },
            verify: { idToken, nonce in
                try await GoogleSignIn.Failure.translating {
                    GoogleSignIn.Identity(try await verifier.verify(idToken, nonce: nonce))
                }
            })
    }

    private static func clientSecret(in path: String?, logger: Logger) throws -> Secret {
        guard let path else { throw GoogleSignIn.Failure.clientSecretUnreadable }
        do {
            return try SecretFile.read(path)
        } catch {
            logger.warning(
                "google.clientSecretFile cannot be used", metadata: ["path": "\(path)", "reason": "\(error)"])
            throw GoogleSignIn.Failure.clientSecretUnreadable
        }
    }
}

extension GoogleSignIn.Identity {
    fileprivate init(_ identity: GoogleIdentity) {
        self.init(
            subject: identity.subject, email: identity.email, name: identity.name, pictureURL: identity.pictureURL,
            hostedDomain: identity.hostedDomain)
    }
}
