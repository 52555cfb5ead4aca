import Contracts
import Model
import Storage
import Vault

/// The worker's part of connecting Spotify: a code becomes tokens, and the tokens a connection.
package struct SpotifyExchange: Sendable {
    package typealias Redeem =
        @Sendable (
            _ code: Secret, _ clientID: String, _ redirectURI: String, _ verifier: Secret
        ) async throws -> ConnectionTokens

    package typealias ReadAccount =
        @Sendable (_ accessToken: Secret, _ clientID: String) async throws -> SpotifyAccount

    let database: Database
    let vault: CurrentVault
    private let clientID: String?
    private let redeem: Redeem
    private let account: ReadAccount
    private let onVaultTrouble: @Sendable (VaultError) -> Void

    /// - Parameters:
    ///   - clientID: the installation's client id at Spotify, for attempts that name none.
    ///   - redeem: exchanges a code with the attempt's client id; throws ``ProviderFailure``.
    ///   - account: reads the account of an access token; throws ``ProviderFailure``.
    ///   - onVaultTrouble: called when the vault cannot open or seal, to inform the operator.
    package init(
        database: Database, vault: CurrentVault, clientID: String?, redeem: @escaping Redeem,
        account: @escaping ReadAccount,
        onVaultTrouble: @escaping @Sendable (VaultError) -> Void
    ) {
        self.database = database
        self.vault = vault
        self.clientID = clientID
        self.redeem = redeem
        self.account = account
        self.onVaultTrouble = onVaultTrouble
    }

    /// The result of an attempt, and the rows to write.
    package struct Outcome: Sendable {
        package var verdict: AuthorizationVerdict
        package var write: @Sendable (WriteTransaction) throws -> WriteResult
    }

    /// What writing the rows of an attempt resulted in.
    package struct WriteResult: Sendable, Equatable {
        /// Whether the rows make the connection: not when the attempt failed, ended in the meantime, or led to a
        /// question.
        package var isConnected: Bool
        /// The job to submit in the same transaction, if any.
        package var profile: ProfileRequest?

        static let nothing = WriteResult(isConnected: false)
    }

    /// A request to read the account's profile later, because Spotify did not name the account when it was connected.
    package struct ProfileRequest: Sendable, Equatable {
        /// The earliest time for it; `nil` means at once.
        package var notBefore: Timestamp?
    }

    /// Exchanges the code of an attempt.
    ///
    /// - Throws: errors of the database, and cancellation. Other failures are in the verdict.
    package func run(attemptID: String, userID: String) async throws -> Outcome {
        let (found, connection) = try await database.read { reader in
            (
                try reader.vault.authorization(id: attemptID),
                try reader.connections.record(userID: userID, provider: Provider.spotify.rawValue)
            )
        }
        guard let attempt = found, attempt.userID == userID, attempt.code != nil,
            let clientID = attempt.clientID ?? clientID
        else {
            return Outcome(verdict: .failed("authorizationOver", .reconnect, Self.overText)) { _ in .nothing }
        }
        do {
            guard attempt.expiresAt > .now() else {
                throw ProviderFailure(.spotify, .grantRefused, message: Self.overText)
            }
            let opened = try open(attempt)
            let tokens = try await redeem(opened.code, clientID, attempt.redirectURI, opened.verifier)
            return try await finish(attempt, userID: userID, tokens, of: clientID, insteadOf: connection)
        } catch let failure as ProviderFailure {
            return failed(AuthorizationVerdict(failure), attemptID: attemptID, userID: userID)
        }
    }

    private static let overText = "This attempt to connect has ended. Start again."

    private func open(_ attempt: AuthorizationRecord) throws -> (code: Secret, verifier: Secret) {
        do throws(VaultError) {
            if let opened = try attempt.open(by: vault) { return opened }
        } catch {
            throw sealed(error)
        }
        throw ProviderFailure(.spotify, .grantRefused, message: Self.overText)
    }

    func sealed(_ error: VaultError) -> ProviderFailure {
        onVaultTrouble(error)
        return ProviderFailure(error, of: .spotify)
    }

    /// - Parameters:
    ///   - clientID: the app that the tokens belong to.
    ///   - connection: the person's previous connection.
    private func finish(
        _ attempt: AuthorizationRecord, userID: String, _ tokens: ConnectionTokens, of clientID: String,
        insteadOf connection: ConnectionRecord?
    ) async throws -> Outcome {
        guard let refreshToken = tokens.refreshToken else {
            throw ProviderFailure(.spotify, .unreadable, message: "Spotify sent no refresh token. Connect again.")
        }
        var account: SpotifyAccount?
        var trouble: ProviderFailure?
        do {
            account = try await self.account(tokens.accessToken, clientID)
        } catch let failure as ProviderFailure {
            // No call would succeed before the app's owner has changed something at Spotify.
            if [.accountNotAllowed, .ownerPremiumMissing].contains(failure.kind) { throw failure }
            trouble = failure
        }
        // The tokens are sealed in the transaction that stores them. Without a key, the attempt ends with the reason.
        do throws(VaultError) { _ = try vault.vault() } catch { throw sealed(error) }
        let grant = SpotifyGrant(
            accessToken: tokens.accessToken, refreshToken: refreshToken,
            details: SpotifyGrant.Details(
                account: account, scopes: tokens.scopes?.joined(separator: " ") ?? attempt.scopes, clientID: clientID,
                beganAt: attempt.createdAt.microseconds, tokenExpiresAt: tokens.expiresAt.microseconds))
        let verdict: AuthorizationVerdict
        switch Replacement(of: connection, by: account) {
        case .none: verdict = .connected
        case .other:
            verdict = .otherAccount(account?.displayName ?? "", insteadOf: connection?.accountName ?? "")
        case .unknown:
            return failed(.accountUnknown(trouble), attemptID: attempt.id, userID: userID)
        }
        return Outcome(verdict: verdict) { [trouble] transaction in
            // Missing if the person disconnected or gave up in the meantime.
            guard try transaction.vault.deleteAuthorization(id: attempt.id) else { return .nothing }
            return try storeGrant(grant, trouble, userID: userID, in: transaction)
        }
    }

    /// Stores a grant as the connection, or as a question if it would replace another account.
    private func storeGrant(
        _ grant: SpotifyGrant, _ trouble: ProviderFailure?, userID: String, in transaction: WriteTransaction
    ) throws -> WriteResult {
        let (now, provider) = (Timestamp.now(), Provider.spotify)
        // Checked again: another attempt may have connected an account in the meantime.
        let present = try transaction.connections.record(userID: userID, provider: provider.rawValue)
        let replacement = Replacement(of: present, by: grant.details.account)
        guard replacement == .none else {
            try transaction.connections.handle(.authorizationFailed, userID: userID, provider: provider, now: now)
            if replacement == .other, let former = present?.accountID {
                try AccountQuestion.ask(
                    about: grant, insteadOf: former, userID: userID, sealedBy: vault, in: transaction, now: now)
            }
            return .nothing
        }
        // This connection resolves an earlier question.
        try AccountQuestion.withdraw(userID: userID, in: transaction, now: now)
        try grant.store(userID: userID, sealedBy: vault, in: transaction, now: now)
        if let event = trouble?.connectionEvent(), trouble?.recovery != .refresh {
            try transaction.connections.handle(event, userID: userID, provider: provider, now: now)
        }
        let profile = trouble.flatMap { Self.profileRequest(after: $0, scopes: grant.details.scopes) }
        return WriteResult(isConnected: true, profile: profile)
    }

    /// What a connection with another account would do to the present one.
    private enum Replacement: Equatable {
        /// There is no account yet, or it is the same one.
        case none
        /// Another account would be replaced.
        case other
        /// Spotify did not say whose tokens these are, and there is an account that they might replace.
        case unknown

        init(of connection: ConnectionRecord?, by account: SpotifyAccount?) {
            guard let account else {
                self = connection?.accountID == nil ? .none : .unknown
                return
            }
            self = account.isAccount(of: connection) == false ? .other : .none
        }
    }

    /// The request to read the profile again, if the failure is temporary and the granted scopes allow it.
    private static func profileRequest(after trouble: ProviderFailure, scopes: String) -> ProfileRequest? {
        guard [.retryAt, .refresh].contains(trouble.recovery),
            scopes.split(separator: " ").contains(Substring(SpotifyScopes.profile))
        else { return nil }
        return ProfileRequest(notBefore: trouble.until)
    }

    private func failed(_ verdict: AuthorizationVerdict, attemptID: String, userID: String) -> Outcome {
        Outcome(verdict: verdict) { transaction in
            try SpotifyAuthorizations.fail(attemptID: attemptID, userID: userID, in: transaction)
            return .nothing
        }
    }
}
