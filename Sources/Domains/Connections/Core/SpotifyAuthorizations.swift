import Model
import Storage
import Vault

/// The gateway's part of connecting Spotify: starting attempts, accepting their codes, disconnecting.
package struct SpotifyAuthorizations: Sendable {
    /// The most attempts of one person that may be under way at once.
    static let maximumCount = 20

    /// The installation's client id at Spotify; `nil` if only people with their own app can connect.
    package let clientID: String?
    private let sealer: any SecretSealer
    private let accountsURL: String

    /// - Parameters:
    ///   - sealer: seals verifiers and codes for the worker that exchanges them.
    ///   - accountsURL: the base URL of Spotify's accounts service, to which browsers are sent.
    package init(sealer: any SecretSealer, clientID: String?, accountsURL: String) {
        self.clientID = clientID
        self.sealer = sealer
        self.accountsURL = accountsURL
    }

    /// Neither the person nor the installation has an app at Spotify.
    package struct AppMissing: Error, Equatable {}

    /// Who starts an attempt; nobody else may finish it.
    package struct Initiator: Sendable, Equatable {
        package var userID: String
        /// The hash of the session's key; `nil` for a request with an API token.
        package var sessionHash: String?

        package init(userID: String, sessionHash: String?) {
            self.userID = userID
            self.sessionHash = sessionHash
        }

        fileprivate var ofFlow: AuthorizationFlow.Initiator { .init(userID: userID, browserHash: sessionHash) }
    }

    // MARK: Attempts

    /// Starts an attempt and stores it.
    ///
    /// - Parameters:
    ///   - scopes: the scopes to request.
    ///   - returnTo: the path of the page to which the person returns.
    /// - Returns: `nil` when ``maximumCount`` attempts of the person are under way.
    /// - Throws: ``AppMissing``; ``VaultError`` when the verifier cannot be sealed; `StorageError`.
    package func begin(
        by initiator: Initiator, redirectURI: String, scopes: [String], returnTo: String?,
        in transaction: WriteTransaction, now: Timestamp = .now()
    ) throws -> AuthorizationFlow.Attempt? {
        let (userID, provider) = (initiator.userID, Provider.spotify)
        let count = try transaction.vault.authorizationCount(userID: userID, provider: provider.rawValue, now: now)
        guard count < Self.maximumCount else { return nil }
        guard let app = try transaction.connections.spotifyApps(userID: userID, installation: clientID).chosen else {
            throw AppMissing()
        }
        let request = AuthorizationFlow.Request(
            endpoint: accountsURL + "/authorize", redirectURI: redirectURI, scopes: scopes.joined(separator: " "),
            returnTo: returnTo)
        let attempt = try flow(app).begin(request, by: initiator.ofFlow, in: transaction, now: now)
        try transaction.connections.handle(
            .authorizationBegan(until: attempt.expiresAt), userID: userID, provider: provider, now: now)
        return attempt
    }

    /// The attempt that a state belongs to; see ``AuthorizationFlow/find(state:of:by:in:now:)``.
    package static func find(
        state: Secret, by initiator: Initiator, in reader: some SQLReader, now: Timestamp = .now()
    ) throws -> AuthorizationRecord? {
        try AuthorizationFlow.find(state: state, of: .spotify, by: initiator.ofFlow, in: reader, now: now)
    }

    /// Stores the code of an attempt; see ``AuthorizationFlow/accept(code:of:in:now:)``.
    package func accept(
        code: Secret, of attempt: AuthorizationRecord, in transaction: WriteTransaction
    ) throws -> Bool {
        try flow(attempt.clientID ?? clientID ?? "").accept(code: code, of: attempt, in: transaction)
    }

    private func flow(_ clientID: String) -> AuthorizationFlow {
        AuthorizationFlow(provider: .spotify, clientID: clientID, sealer: sealer)
    }

    /// Ends an attempt without a connection.
    package static func fail(attemptID: String, userID: String, in transaction: WriteTransaction) throws {
        guard try transaction.vault.deleteAuthorization(id: attemptID) else { return }
        try transaction.connections.handle(.authorizationFailed, userID: userID, provider: .spotify, now: .now())
    }

    // MARK: Disconnecting

    /// Deletes a person's tokens, attempts and open question, and the names and ids of their present and former
    /// accounts. The client id of their own app is retained.
    package static func disconnect(userID: String, in transaction: WriteTransaction) throws {
        let provider = Provider.spotify.rawValue
        try transaction.vault.deleteAuthorizations(userID: userID, provider: provider)
        try transaction.vault.deleteCandidates(userID: userID, provider: provider)
        try transaction.connections.deleteFormerAccounts(userID: userID, provider: provider)
        try transaction.connections.handle(.disconnected, userID: userID, provider: .spotify, now: .now())
    }
}
