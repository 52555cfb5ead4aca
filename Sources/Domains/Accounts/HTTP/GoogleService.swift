import Accounts
import Contracts
import Gateway
import Jobs
import Model
import Storage
import Synchronization
import Vault

/// The gateway's side of signing in with Google: starts attempts, accepts codes and ID tokens, waits for the worker's
/// result, and signs the person in. It seals what it accepts, cannot open it again, and never calls Google.
package struct GoogleService: Sendable {
    /// The path of the redirect URI.
    static let callbackPath = "/v1/auth/google/callback"

    /// The credential of the person who is signed in, or the reason why nobody is.
    enum Outcome<Value: Sendable>: Sendable {
        case signedIn(Value)
        case refused(GoogleSignInResult)
    }

    let queue: JobQueue
    let accounts: Accounts
    let sealer: CurrentPublicKey
    /// `nil` when nobody can sign in with Google.
    let client: GoogleSignInClient?
    private let endpoint = GoogleEndpoint()

    init(queue: JobQueue, sealer: CurrentPublicKey, client: GoogleSignInClient?) {
        self.queue = queue
        self.sealer = sealer
        self.client = client
        accounts = Accounts(database: queue.database)
    }

    // MARK: Browsers

    /// `nil` when browsers cannot sign in with Google.
    var authorizations: GoogleAuthorizations? {
        guard let client, client.servesBrowsers else { return nil }
        return GoogleAuthorizations(sealer: sealer, clientID: client.clientID)
    }

    /// Starts an attempt.
    ///
    /// - Returns: the address to send the browser to.
    /// - Throws: ``Problem`` when Google's endpoint is unknown, `VaultError`, `StorageError`.
    func begin(
        _ authorizations: GoogleAuthorizations, browser: SignInBrowser, redirectURI: String, returnTo: String?
    ) async throws -> String {
        let endpoint = try await authorizationURL()
        return try await queue.database.write { transaction in
            try authorizations.begin(
                endpoint: endpoint, browser: browser, redirectURI: redirectURI, returnTo: returnTo, in: transaction)
        }.authorizeURL
    }

    /// The attempt that a state belongs to, if this browser started it.
    func find(state: String, browser: SignInBrowser) async throws -> AuthorizationRecord? {
        let state = Secret(state)
        return try await queue.database.read {
            try GoogleAuthorizations.find(state: state, browser: browser, in: $0)
        }
    }

    /// Ends an attempt without a code.
    func fail(_ attempt: AuthorizationRecord) async throws {
        try await queue.database.write { try $0.vault.drop(.authorization(id: attempt.id)) }
    }

    /// Has a worker exchange a code and identify the person, and begins their session in place of the browser's former
    /// one.
    func finish(
        _ authorizations: GoogleAuthorizations, _ attempt: AuthorizationRecord, code: String, userAgent: String?,
        replacing former: SessionToken?
    ) async throws -> Outcome<(SessionToken, Session)> {
        let code = Secret(code)
        return try await outcome(of: .authorization(id: attempt.id)) { transaction in
            guard try authorizations.accept(code: code, of: attempt, in: transaction) else { return nil }
            return GoogleSignInPayload(.code, id: attempt.id)
        } spend: {
            try await accounts.signIn(attempt: attempt.id, userAgent: userAgent, replacing: former)
        }
    }

    /// Deletes the oldest attempts beyond ``GoogleAuthorizations/maximumCount``.
    func limitAttempts() async throws {
        let batch = Database.upkeepBatch
        var deleted = batch
        while deleted == batch, !Task.isCancelled {
            deleted = try await queue.database.write {
                try $0.vault.pruneAnonymousAuthorizations(beyond: GoogleAuthorizations.maximumCount, limit: batch)
            }
        }
    }

    // MARK: Apps

    typealias AppSignIn = (token: APIToken, user: UserRecord, expiresAt: Timestamp)

    /// Has a worker verify an ID token and identify the person, and makes them an API token.
    func signIn(idToken: String, nonce: String?) async throws -> Outcome<AppSignIn> {
        let candidate = GoogleIDTokenCandidate(idToken: Secret(idToken), nonce: nonce)
        // This only spares a worker. The transaction that accepts the token decides.
        if try await accounts.isUsed(candidate) { return .refused(.idTokenUsed) }
        do {
            return try await outcome(of: .candidate(id: candidate.id)) { [sealer] transaction in
                try candidate.insert(sealedBy: sealer, in: transaction)
                return GoogleSignInPayload(.idToken, id: candidate.id)
            } spend: {
                try await accounts.signIn(candidate: candidate)
            }
        } catch AccountError.idTokenUsed {
            try await queue.database.write { try $0.vault.drop(.candidate(id: candidate.id)) }
            return .refused(.idTokenUsed)
        }
    }

    // MARK: The result

    /// Has a worker verify a proof.
    ///
    /// - Parameters:
    ///   - payload: stores the proof, sealed, in the transaction that submits the job; `nil` when its attempt has
    ///     ended.
    ///   - spend: signs in the person whom the worker has identified, once.
    private func outcome<Value>(
        of proof: SignInProof, payload: @escaping @Sendable (WriteTransaction) throws -> GoogleSignInPayload?,
        spend: () async throws -> Value?
    ) async throws -> Outcome<Value> {
        do {
            let result = try await queue.run(
                .accountsGoogleSignIn, for: SystemUser.id, within: JobQueue.upstreamAnswerTimeout, payload: payload)
            guard let result else { return .refused(.stateUnknown) }
            if result.verdict != .verified { return .refused(result) }
            if let value = try await spend() { return .signedIn(value) }
        } catch is JobWaitError {}
        // The person sees that it failed, so it must not succeed later.
        try await queue.database.write { try $0.vault.drop(proof) }
        return .refused(.noVerdict)
    }

    // MARK: Google's endpoint

    /// Google's authorization endpoint, as a worker read it within the last hour.
    private func authorizationURL() async throws -> String {
        if let url = endpoint.fresh { return url }
        // Concurrent requests wait for the same job.
        var result: GoogleEndpointsResult?
        do {
            result = try await queue.run(
                .accountsGoogleEndpoints, NoPayload(), for: SystemUser.id, within: JobQueue.upstreamAnswerTimeout,
                sharedAs: "googleEndpoints")
        } catch is JobWaitError {}
        if let url = result?.authorizationURL {
            endpoint.know(url)
            return url
        }
        // The endpoint hardly ever changes.
        if let url = endpoint.last { return url }
        throw Problem(result?.trouble ?? .noVerdict)
    }
}

/// Google's authorization endpoint, cached for an hour.
final class GoogleEndpoint: Sendable {
    static let age = Duration.seconds(3_600)

    private let known = Mutex<(url: String, freshUntil: MonotonicInstant)?>(nil)

    /// `nil` when it is unknown or older than ``age``.
    var fresh: String? {
        known.withLock { known in known.flatMap { MonotonicInstant.now() < $0.freshUntil ? $0.url : nil } }
    }

    /// The last known one, of any age.
    var last: String? { known.withLock { $0?.url } }

    func know(_ url: String) {
        known.withLock { $0 = (url, MonotonicInstant.now().advanced(by: Self.age)) }
    }
}

/// The installation's client at Google, without its secret.
package struct GoogleSignInClient: Sendable {
    /// The id of the web client.
    package let clientID: String
    /// Whether the client has a secret, without which codes of browsers cannot be exchanged.
    package let servesBrowsers: Bool

    package init(clientID: String, servesBrowsers: Bool) {
        self.clientID = clientID
        self.servesBrowsers = servesBrowsers
    }
}

extension GoogleSignInResult {
    static let stateUnknown = refused(
        .stateUnknown,
        "This sign-in has already been finished, is older than ten minutes, or was begun in another browser. "
            + "Start again.")

    static let idTokenUsed = refused(.idTokenUsed, AccountError.idTokenUsed.description)

    static let noVerdict = unavailable(
        .noVerdict,
        "Google's answer did not arrive in time. Try again in a moment. If this continues, check that a sync-worker "
            + "is running.",
        retryAfter: 5)
}
