import Accounts
import Contracts
import Jobs
import Model
import Storage
import Vault

/// What the gateway does about signing in with Google: begin, take in what comes back, wait for the worker's verdict,
/// and let whoever it is in. It seals what it takes in, opens nothing, and asks Google nothing.
package struct GoogleDesk: Sendable {
    /// Of the redirect address.
    static let callbackPath = "/v1/auth/google/callback"

    /// What somebody gets who is let in, or why nobody is.
    enum Outcome<Value: Sendable>: Sendable {
        case signedIn(Value)
        case refused(GoogleSignInResult)
    }

    let queue: JobQueue
    let accounts: Accounts
    let sealer: CurrentPublicKey
    /// `nil` when nobody signs in with Google here.
    let client: GoogleSignInClient?
    private let endpoint = GoogleEndpoint()

    init(queue: JobQueue, sealer: CurrentPublicKey, client: GoogleSignInClient?) {
        self.queue = queue
        self.sealer = sealer
        self.client = client
        accounts = Accounts(database: queue.database)
    }

    // MARK: Browsers

    /// `nil` when browsers cannot sign in with Google here.
    var authorizations: GoogleAuthorizations? {
        guard let client, client.servesBrowsers else { return nil }
        return GoogleAuthorizations(sealer: sealer, clientID: client.clientID)
    }

    /// Begins an attempt.
    ///
    /// - Returns: where the browser is to go.
    /// - Throws: ``Problem`` when Google's address is not known, `VaultError`, `StorageError`.
    func begin(
        _ authorizations: GoogleAuthorizations, browser: SignInBrowser, redirectURI: String, returnTo: String?
    ) async throws -> String {
        let endpoint = try await authorizationURL()
        return try await queue.database.write { transaction in
            try authorizations.begin(
                endpoint: endpoint, browser: browser, redirectURI: redirectURI, returnTo: returnTo, in: transaction)
        }
    }

    /// The attempt that a state belongs to, if this browser began it.
    func find(state: String, browser: SignInBrowser) async throws -> AuthorizationRecord? {
        let state = Secret(state)
        return try await queue.database.read {
            try GoogleAuthorizations.find(state: state, browser: browser, in: $0)
        }
    }

    /// Ends an attempt that brought no code.
    func fail(_ attempt: AuthorizationRecord) async throws {
        try await queue.database.write { try $0.vault.drop(.authorization(id: attempt.id)) }
    }

    /// Has a worker find out whom a code is of, and begins their session in place of the browser's former one.
    func finish(
        _ authorizations: GoogleAuthorizations, _ attempt: AuthorizationRecord, code: String, userAgent: String?,
        replacing former: SessionKey?
    ) async throws -> Outcome<(SessionKey, Session)> {
        let code = Secret(code)
        return try await outcome(of: .authorization(id: attempt.id)) { transaction in
            let sealed = try authorizations.seal(code: code, of: attempt, in: transaction)
            guard try transaction.vault.setAuthorizationCode(sealed, id: attempt.id, now: .now()) else { return nil }
            return GoogleSignInPayload(.code, id: attempt.id)
        } spend: {
            try await accounts.signIn(attempt: attempt.id, userAgent: userAgent, replacing: former)
        }
    }

    /// Drops the oldest attempts beyond ``GoogleAuthorizations/maximumCount``.
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

    typealias AppSignIn = (token: AccessToken, user: UserRecord, expiresAt: Timestamp)

    /// Has a worker find out whom an ID token is of, and makes them a token.
    func signIn(idToken: String, nonce: String?) async throws -> Outcome<AppSignIn> {
        let candidate = GoogleIDTokenCandidate(idToken: Secret(idToken), nonce: nonce)
        // Sparing a worker; what counts is the transaction that accepts it.
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

    // MARK: The verdict

    /// Has a worker look at what was brought.
    ///
    /// - Parameters:
    ///   - payload: seals it, in the transaction that submits the job; `nil` when its attempt is over.
    ///   - spend: lets in whoever the worker has found it to be, once.
    private func outcome<Value>(
        of proof: SignInProof, payload: @escaping @Sendable (WriteTransaction) throws -> GoogleSignInPayload?,
        spend: () async throws -> Value?
    ) async throws -> Outcome<Value> {
        do {
            let result = try await queue.run(
                .accountsGoogleSignIn, for: SystemUser.id, within: WorkerVerdict.patience, payload: payload)
            guard let result else { return .refused(.stateUnknown) }
            if result.verdict != .verified { return .refused(result) }
            if let value = try await spend() { return .signedIn(value) }
        } catch is AwaitedJobError {}
        // What was not done in time is not done behind somebody's back either.
        try await queue.database.write { try $0.vault.drop(proof) }
        return .refused(.noVerdict)
    }

    // MARK: Google's address

    /// Google's authorization endpoint, as a worker has read it lately.
    private func authorizationURL() async throws -> String {
        if let url = endpoint.fresh { return url }
        // Whoever asks meanwhile waits for the same.
        var result: GoogleEndpointsResult?
        do {
            result = try await queue.run(
                .accountsGoogleEndpoints, NoPayload(), for: SystemUser.id, within: WorkerVerdict.patience,
                sharedAs: "googleEndpoints")
        } catch is AwaitedJobError {}
        if let url = result?.authorizationURL {
            endpoint.know(url)
            return url
        }
        // It moves once in many years.
        if let url = endpoint.last { return url }
        throw Problem(result?.trouble ?? .noVerdict)
    }
}

/// The installation's client at Google, as far as the gateway has to know it.
package struct GoogleSignInClient: Sendable {
    /// Of the web client, which is the site's own.
    package let clientID: String
    /// Whether there is a secret for it, without which no browser's code is good for anything.
    package let servesBrowsers: Bool

    package init(clientID: String, servesBrowsers: Bool) {
        self.clientID = clientID
        self.servesBrowsers = servesBrowsers
    }
}

extension GoogleSignInResult {
    static let stateUnknown = refused(
        .stateUnknown,
        "This attempt to sign in was finished before, or is older than ten minutes, or was begun in another browser. "
            + "Begin again.")

    static let idTokenUsed = refused(.idTokenUsed, AccountError.idTokenUsed.description)

    static let noVerdict = unavailable(
        .noVerdict,
        "There was no answer of Google's in time. Try again in a moment. If it stays so, see that a sync-worker runs.",
        retryAfter: 5)
}
