import Contracts
import Model
import Storage
import Vault

/// The second half of connecting Spotify, in a worker: the code becomes tokens, and the tokens a connection.
package struct SpotifyExchange: Sendable {
    /// How long a consent lasts: six months from the day it was given, refreshed or not. Half a year's shortest
    /// months have 181 days.
    package static let consentLength = Duration.seconds(180 * 86_400)

    package typealias Redeem =
        @Sendable (
            _ code: Secret, _ redirectURI: String, _ verifier: Secret
        ) async throws -> ConnectionTokens

    private let database: Database
    private let vault: CurrentVault
    private let redeem: Redeem
    private let account: @Sendable (Secret) async throws -> Account
    private let onVaultTrouble: @Sendable (VaultError) -> Void

    /// - Parameters:
    ///   - redeem: exchanges a code; throws ``ProviderFailure``.
    ///   - account: asks whose token it is; throws ``ProviderFailure``.
    ///   - onVaultTrouble: is told, for the operator, why an attempt could not be finished.
    package init(
        database: Database, vault: CurrentVault, redeem: @escaping Redeem,
        account: @escaping @Sendable (Secret) async throws -> Account,
        onVaultTrouble: @escaping @Sendable (VaultError) -> Void
    ) {
        self.database = database
        self.vault = vault
        self.redeem = redeem
        self.account = account
        self.onVaultTrouble = onVaultTrouble
    }

    /// What came of it, and the rows that say so.
    package struct Outcome: Sendable {
        package var verdict: AuthorizationVerdict
        /// It returns what is to be asked afterwards, by a job of the same transaction.
        package var write: @Sendable (WriteTransaction) throws -> AccountQuestion?
    }

    /// A connection was made, and whose account it is was not to be heard.
    package struct AccountQuestion: Sendable, Equatable {
        /// When asking makes sense; `nil` is at once.
        package var notBefore: Timestamp?
    }

    /// - Throws: what has nothing to do with Spotify: the database, cancellation.
    package func run(attemptID: String, userID: String) async throws -> Outcome {
        let found = try await database.read { try $0.vault.authorization(id: attemptID) }
        guard let attempt = found, attempt.userID == userID, let sealedCode = attempt.code else {
            return Outcome(verdict: .failed("authorizationOver", .reconnect, Self.overText)) { _ in nil }
        }
        do {
            guard attempt.expiresAt > .now() else {
                throw ProviderFailure(.spotify, .grantRefused, message: Self.overText)
            }
            let code = try open(sealedCode, AuthorizationField.code(attemptID, userID: userID))
            let verifier = try open(attempt.verifier, AuthorizationField.verifier(attemptID, userID: userID))
            let tokens = try await redeem(code, attempt.redirectURI, verifier)
            return try await connect(tokens, attempt: attempt, userID: userID)
        } catch let failure as ProviderFailure {
            return failed(failure, attemptID: attemptID, userID: userID)
        }
    }

    private static let overText = "This attempt to connect is over. Begin again."

    private func open(_ sealed: SealedSecret, _ name: SecretName) throws -> Secret {
        do throws(VaultError) { return try vault.open(sealed, as: name) } catch { throw self.sealed(error) }
    }

    private func sealed(_ error: VaultError) -> ProviderFailure {
        onVaultTrouble(error)
        return ProviderFailure(error, of: .spotify)
    }

    private func connect(
        _ tokens: ConnectionTokens, attempt: AuthorizationRecord, userID: String
    ) async throws -> Outcome {
        guard let refreshToken = tokens.refreshToken else {
            throw ProviderFailure(.spotify, .unreadable, message: "Spotify gave no refresh token.")
        }
        var account: Account?
        var trouble: ProviderFailure?
        do {
            account = try await self.account(tokens.accessToken)
        } catch let failure as ProviderFailure {
            // Nothing can ever be done for such an account before the operator has let it in.
            if failure.kind == .accountNotAllowed { throw failure }
            trouble = failure
        }
        // What came must be sealed when it is written; without a key the attempt ends with the reason.
        do throws(VaultError) { _ = try vault.vault() } catch { throw sealed(error) }
        let scopes = tokens.scopes?.joined(separator: " ") ?? attempt.scopes
        return Outcome(verdict: .connected) { [account, trouble, vault] transaction in
            // Gone, when the person disconnected or gave up meanwhile.
            guard try transaction.vault.deleteAuthorization(id: attempt.id) else { return nil }
            let now = Timestamp.now()
            let provider = CredentialProvider.spotify
            for (field, secret) in [(TokenField.access, tokens.accessToken), (TokenField.refresh, refreshToken)] {
                try transaction.vault.putSecret(
                    secret, as: SecretName(userID: userID, provider: provider, field: field), by: vault, now: now)
            }
            let actions = try transaction.connections.handle(.accepted, userID: userID, provider: provider, now: now) {
                record in
                (record.accountID, record.accountName) = (account?.id, account?.displayName)
                record.scopes = scopes
                record.authorizedAt = now
                // Consent was given before the code came, and a code lives ten minutes at most.
                record.renewBy = attempt.createdAt.advanced(by: Self.consentLength)
                record.tokenExpiresAt = tokens.expiresAt
                record.refresh = nil
            }
            if let event = trouble?.connectionEvent(), trouble?.recovery != .refresh {
                try transaction.connections.handle(event, userID: userID, provider: provider, now: now)
            }
            if actions.contains(.resumeJobs) {
                try transaction.jobs.resumeJobs(userID: userID, awaiting: provider.rawValue, now: now)
            }
            return trouble.flatMap { Self.question(after: $0, scopes: scopes) }
        }
    }

    /// What Spotify did not say this time it may say to the same question later, if that was allowed.
    private static func question(after trouble: ProviderFailure, scopes: String) -> AccountQuestion? {
        guard [.retryAt, .refresh].contains(trouble.recovery),
            scopes.split(separator: " ").contains(Substring(SpotifyScopes.profile))
        else { return nil }
        return AccountQuestion(notBefore: trouble.until)
    }

    private func failed(_ failure: ProviderFailure, attemptID: String, userID: String) -> Outcome {
        Outcome(verdict: AuthorizationVerdict(failure)) { transaction in
            try SpotifyAuthorizations.fail(attemptID: attemptID, userID: userID, in: transaction)
            return nil
        }
    }
}
