import Model
import Platform
import Storage
import Vault

/// Makes calls with people's access tokens, and refreshes the tokens.
///
/// Only one process at a time refreshes a token, under a lease in the database, and it stores the new tokens in one
/// transaction before using them (docs/decisions/009-connections.md).
package struct TokenKeeper: Sendable {
    /// Sends a refresh token to the provider, once. Asks the gate before sending; throws ``ProviderFailure``.
    package typealias Refresh = @Sendable (Secret, RefreshSendGate) async throws -> ConnectionTokens

    /// A token that expires sooner than this is refreshed before it is used.
    static let margin = Duration.seconds(60)
    /// How long new tokens are held in memory when the database cannot store them.
    static let storePatience = Duration.seconds(60)
    static let storePause = Duration.milliseconds(500)
    /// How long other processes wait for the refresh of a process that has died.
    static let leaseLength = Duration.seconds(10)
    static let leaseRenewal = Duration.seconds(3)
    /// The longest time from sending a refresh until its tokens are stored, if the database can be written: the timeout
    /// of a call, plus a margin.
    package static let longestRefresh = Duration.seconds(15)
    /// How often a call that waits for another call's refresh reads the connection.
    static let lookInterval = Duration.milliseconds(50)

    let provider: Provider
    let clientID: String
    let database: Database
    let vault: CurrentVault
    let sendRefresh: Refresh
    let underWay = RefreshesUnderWay()
    /// How long a refresh may wait before it is sent. Once sent, it is not cancelled: its answer may contain the only
    /// valid token, and the transport limits the time of every call.
    var sendLimit = Duration.seconds(40)
    /// Waits for ``sendLimit``. Tests choose when that time is over.
    var waitForSendLimit: @Sendable (Duration) async throws -> Void = { try await Task.sleep(for: $0) }
    /// How long to wait, after a refresh token was refused, for another process to store its successor.
    var successorPatience = storePause * 2
    let onVaultTrouble: @Sendable (VaultError) -> Void
    let atMoment: @Sendable (RefreshCrashPoint) -> Void

    /// - Parameters:
    ///   - clientID: the client id at the provider. Tokens granted to another one are not used.
    ///   - onVaultTrouble: called when the vault cannot open or seal a token, to inform the operator.
    ///   - atMoment: called at each ``RefreshCrashPoint``.
    package init(
        provider: Provider, clientID: String, database: Database, vault: CurrentVault,
        refresh: @escaping Refresh, onVaultTrouble: @escaping @Sendable (VaultError) -> Void,
        atMoment: @escaping @Sendable (RefreshCrashPoint) -> Void = { _ in }
    ) {
        self.provider = provider
        self.clientID = clientID
        self.database = database
        self.vault = vault
        sendRefresh = refresh
        self.onVaultTrouble = onVaultTrouble
        self.atMoment = atMoment
    }

    /// Makes a call with a person's access token. A token that is about to expire is refreshed first. If the provider
    /// refuses the token, it is refreshed and the call repeated, once.
    ///
    /// - Parameters:
    ///   - scopes: the scopes that the call needs. If one of them was not granted, nothing is sent.
    ///   - body: makes the call; throws ``ProviderFailure`` for an answer that it does not expect.
    /// - Throws: ``ProviderFailure``, and the other errors of `body` and of the database.
    package func call<Value: Sendable>(
        userID: String, scopes: [String] = [], _ body: (Secret) async throws -> Value
    ) async throws -> Value {
        let start = Timestamp.now()
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
            if failure.kind == .scopeMissing, failure.outcome == .refused {
                try await recordMissing(scopes, userID: userID, at: start)
            }
            // A refused refresh is already stored, together with its lease.
            if failure.kind != .grantRefused, let event = failure.connectionEvent() {
                try await recordEvent(event, userID: userID)
            }
            throw failure
        }
    }

    private func answered<Value: Sendable>(userID: String, _ value: Value) async throws -> Value {
        let provider = provider.rawValue
        let record = try await database.read { try $0.connections.record(userID: userID, provider: provider) }
        // Read first, so that a successful call of a healthy connection writes nothing.
        if record?.state == ConnectionState.Name.degraded.rawValue { try await recordEvent(.answered, userID: userID) }
        return value
    }

    private func recordEvent(_ event: ConnectionEvent, userID: String) async throws {
        let provider = provider
        try await database.write { transaction in
            try transaction.connections.handle(event, userID: userID, provider: provider, now: .now())
        }
    }

    /// Removes scopes from those that the connection lists, since the provider refused a call because one of them was
    /// missing: the setup asks for them again, and no call that needs them is made until then.
    ///
    /// - Parameter start: the start of the call. A consent that was given since then is left alone.
    private func recordMissing(_ scopes: [String], userID: String, at start: Timestamp) async throws {
        let provider = provider.rawValue
        try await database.write { transaction in
            guard var record = try transaction.connections.record(userID: userID, provider: provider),
                let granted = record.scopes?.split(separator: " ").map(String.init),
                granted.contains(where: { scopes.contains($0) }), record.authorizedAt.map({ $0 < start }) ?? true
            else { return }
            record.scopes = granted.filter { !scopes.contains($0) }.joined(separator: " ")
            try transaction.connections.put(record, now: .now())
        }
    }

    // MARK: Tokens

    /// The next step towards a valid token.
    private enum Step: Sendable {
        case use(Secret)
        case wait(until: MonotonicInstant)
        case refresh(RefreshGrant)
        /// The connection counts as usable, but has no refresh token.
        case reconnect
        /// No call can be made until the person connects or reconnects.
        case unusable
    }

    /// An access token that is valid for at least ``margin``.
    ///
    /// - Parameter refused: a token that the provider has just refused.
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
                // The new tokens have to be sealed. Without a key nothing is sent.
                do throws(VaultError) { _ = try vault.vault() } catch { throw sealed(error) }
                next = try await claim(userID: userID, scopes: scopes, besides: refused)
            case .reconnect:
                next = try await claim(userID: userID, scopes: scopes, besides: refused)
            }
            switch next {
            case .use(let token): return token
            case .refresh(let grant):
                if let token = try await refresh(grant, userID: userID) { return token }
            case .reconnect, .unusable: throw connectionNeeded
            case .wait(let end):
                // The holder ends the lease earlier, unless it has died.
                let pause = min(Self.lookInterval, max(.milliseconds(1), MonotonicInstant.now().duration(to: end)))
                try await Task.sleep(for: pause)
            }
        }
    }

    private var connectionNeeded: ProviderFailure {
        ProviderFailure(
            provider, .connectionNeeded, message: "\(provider.displayName) is not connected. Connect it in the setup.")
    }

    /// Decides again in a write transaction, which claims the lease if the token is to be refreshed, and stores that
    /// the connection is lost if there is no refresh token.
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
            return .unusable
        }
        let now = Timestamp.now()
        guard try record.connectionState(at: now, clientID: clientID).isUsable else { return .unusable }
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

/// The right to refresh a token, together with the token.
struct RefreshGrant: Sendable {
    var owner: String
    var refreshToken: Secret
    /// Whether a refresh was sent before with the same token and its answer was never stored.
    var formerAnswerIsMissing: Bool
}
