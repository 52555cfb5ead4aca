import Contracts
import Model
import Storage
import Vault

/// Makes calls for people with their access tokens, and keeps those fresh.
///
/// All processes share one rule through the database: a token is refreshed under a lease, by one at a time, and what
/// comes back is stored in one transaction before anybody uses it. Decision 009 has the protocol.
package struct TokenKeeper: Sendable {
    /// Sends a refresh token to the provider, once. It says when it leaves, and throws ``ProviderFailure``.
    package typealias Refresh = @Sendable (Secret, RefreshDeparture) async throws -> ConnectionTokens

    /// A token that ends sooner than this is refreshed first.
    static let margin = Duration.seconds(60)
    /// How long new tokens are kept in memory when the database cannot take them.
    static let storePatience = Duration.seconds(60)
    static let storePause = Duration.milliseconds(500)
    /// How long others wait for one whose process has died.
    static let leaseLength = Duration.seconds(10)
    static let leaseRenewal = Duration.seconds(3)
    /// From a refresh's leaving until it is stored, at the latest, where the database can take it: the time of a call,
    /// and some.
    package static let longestRefresh = Duration.seconds(15)
    /// How often those look who wait for another's refresh.
    static let lookInterval = Duration.milliseconds(50)

    let provider: CredentialProvider
    let database: Database
    let vault: CurrentVault
    let sendRefresh: Refresh
    let underWay = RefreshesUnderWay()
    /// How long a refresh may wait for its turn. One that has left is not cut off: its answer may hold the only token
    /// that is good, and comes or fails within the time that the transport gives every call.
    var departureLimit = Duration.seconds(40)
    /// How long a token that is refused may still turn out to have a successor, which another process holds and is
    /// about to store.
    var successorPatience = storePause * 2
    let onVaultTrouble: @Sendable (VaultError) -> Void
    let atMoment: @Sendable (TokenMoment) -> Void

    /// - Parameters:
    ///   - onVaultTrouble: is told, for the operator, why a call could not have its token.
    ///   - atMoment: called at each ``TokenMoment``.
    package init(
        provider: CredentialProvider, database: Database, vault: CurrentVault,
        refresh: @escaping Refresh, onVaultTrouble: @escaping @Sendable (VaultError) -> Void,
        atMoment: @escaping @Sendable (TokenMoment) -> Void = { _ in }
    ) {
        self.provider = provider
        self.database = database
        self.vault = vault
        sendRefresh = refresh
        self.onVaultTrouble = onVaultTrouble
        self.atMoment = atMoment
    }

    /// Makes a call with a person's access token: refreshed before if it is about to end, and once more, with the call
    /// repeated once, if the provider says that it has ended.
    ///
    /// - Parameters:
    ///   - scopes: what the call needs; without all of them nothing is sent.
    ///   - body: throws ``ProviderFailure`` for what the provider answers and was not expected to.
    /// - Throws: ``ProviderFailure``, and what else `body` and the database throw.
    package func call<Value: Sendable>(
        userID: String, scopes: [String] = [], _ body: (Secret) async throws -> Value
    ) async throws -> Value {
        do {
            let first = try await token(userID: userID, scopes: scopes)
            do {
                return try await answered(userID: userID, try await body(first))
            } catch let failure as ProviderFailure where failure.kind == .accessTokenRefused {
                let second = try await token(userID: userID, scopes: scopes, besides: first)
                do {
                    return try await answered(userID: userID, try await body(second))
                } catch var failure as ProviderFailure where failure.kind == .accessTokenRefused {
                    failure.kind = .accessTokenRefusedAgain
                    throw failure
                }
            }
        } catch let failure as ProviderFailure {
            // A refresh has written its own failure, together with its lease; saying it again changes nothing.
            if failure.kind != .grantRefused, let event = failure.connectionEvent() {
                try await note(event, userID: userID)
            }
            throw failure
        }
    }

    private func answered<Value: Sendable>(userID: String, _ value: Value) async throws -> Value {
        let provider = provider.rawValue
        let record = try await database.read { try $0.connections.record(userID: userID, provider: provider) }
        // Looked at first, so that calls that go well cost no write.
        if record?.state == ConnectionState.Name.degraded.rawValue { try await note(.answered, userID: userID) }
        return value
    }

    private func note(_ event: ConnectionEvent, userID: String) async throws {
        let provider = provider
        try await database.write { transaction in
            try transaction.connections.handle(event, userID: userID, provider: provider, now: .now())
        }
    }

    // MARK: Tokens

    /// What is to be done to have a good token.
    private enum Step: Sendable {
        case use(Secret)
        case wait(until: MonotonicInstant)
        case refresh(RefreshGrant)
        /// There is no token to refresh with, though the connection counts as usable.
        case reconnect
        /// No call can be made before the person has connected, or has done so again.
        case unusable(ConnectionState)
    }

    /// An access token that is good for a while.
    ///
    /// - Parameter refused: one that the provider has just refused.
    private func token(userID: String, scopes: [String], besides refused: Secret? = nil) async throws -> Secret {
        while true {
            try Task.checkCancellation()
            let known = try await database.read { [self] reader in
                try step(userID: userID, scopes: scopes, besides: refused, lease: nil, in: reader)
            }
            var next = known
            switch known {
            case .use, .wait, .unusable: break
            case .refresh:
                // What comes back must be sealed: without a key nothing is asked for.
                do throws(VaultError) { _ = try vault.vault() } catch { throw sealed(error) }
                next = try await claim(userID: userID, scopes: scopes, besides: refused)
            case .reconnect:
                next = try await claim(userID: userID, scopes: scopes, besides: refused)
            }
            switch next {
            case .use(let token): return token
            case .refresh(let grant):
                if let token = try await refresh(grant, userID: userID) { return token }
            case .reconnect: throw connectionNeeded
            case .unusable(let state):
                // What the clock ended is written down by whoever meets it first, and its secrets go.
                if state == .needsReconnect(.consentEnded) { try await note(.time(.now()), userID: userID) }
                throw connectionNeeded
            case .wait(let end):
                // Its holder ends it sooner, or has died.
                let pause = min(Self.lookInterval, max(.milliseconds(1), MonotonicInstant.now().duration(to: end)))
                try await Task.sleep(for: pause)
            }
        }
    }

    private var connectionNeeded: ProviderFailure {
        ProviderFailure(provider, .connectionNeeded, message: "\(provider.displayName) has to be connected.")
    }

    /// Looks again, in a transaction that takes the lease if there is something to refresh, and writes down that the
    /// connection is lost if there is nothing to refresh it with.
    private func claim(userID: String, scopes: [String], besides refused: Secret?) async throws -> Step {
        let lease = ConnectionRecord.RefreshLease.mine(UUIDv7.next())
        return try await database.write { [self] transaction in
            let step = try step(userID: userID, scopes: scopes, besides: refused, lease: lease, in: transaction)
            switch step {
            case .use, .wait, .unusable: break
            case .refresh:
                try transaction.connections.setRefreshLease(lease, userID: userID, provider: provider.rawValue)
            case .reconnect:
                try transaction.connections.handle(
                    .grantRefused(lostAnswer: true), userID: userID, provider: provider, now: .now())
            }
            return step
        }
    }

    private func step(
        userID: String, scopes: [String], besides refused: Secret?, lease: ConnectionRecord.RefreshLease?,
        in reader: some SQLReader
    ) throws -> Step {
        guard let record = try reader.connections.record(userID: userID, provider: provider.rawValue) else {
            return .unusable(.disconnected)
        }
        let now = Timestamp.now()
        let state = try record.connectionState(at: now)
        guard state.isUsable else { return .unusable(state) }
        let granted = record.scopes?.split(separator: " ") ?? []
        let missing = scopes.filter { !granted.contains(Substring($0)) }
        if !missing.isEmpty {
            throw ProviderFailure(
                provider, .scopeMissing, outcome: .notSent,
                message: "\(provider.displayName) was connected without \(missing.permissionWords).",
                scope: missing.joined(separator: " "))
        }
        let sealed = try reader.vault.sealedSecrets(userID: userID, provider: provider.rawValue)
        if let access = sealed[TokenField.access], let end = record.tokenExpiresAt,
            now.advanced(by: Self.margin) < end
        {
            let token = try open(access, field: TokenField.access, userID: userID)
            if token != refused { return .use(token) }
        }
        if let held = record.refresh, held.isHeld(now: .now(), boot: BootID.current) {
            return .wait(until: held.expiresAt)
        }
        guard let refresh = sealed[TokenField.refresh] else { return .reconnect }
        return .refresh(
            RefreshGrant(
                owner: lease?.owner ?? "", refreshToken: try open(refresh, field: TokenField.refresh, userID: userID),
                formerAnswerIsMissing: record.refresh != nil))
    }

    private func open(_ sealed: SealedSecret, field: String, userID: String) throws -> Secret {
        do throws(VaultError) {
            return try vault.open(sealed, as: SecretName(userID: userID, provider: provider, field: field))
        } catch {
            throw self.sealed(error)
        }
    }

    func sealed(_ error: VaultError) -> ProviderFailure {
        onVaultTrouble(error)
        return ProviderFailure(error, of: provider)
    }
}

/// The right to refresh a token, and what goes with it.
struct RefreshGrant: Sendable {
    var owner: String
    var refreshToken: Secret
    /// Whether a refresh was sent before with the same token, whose answer never was written.
    var formerAnswerIsMissing: Bool
}
