import Contracts
import Model
import Storage
import Vault

/// One thing that a person sets up, as pages and the API show it.
package struct SetupStep: Sendable, Equatable {
    package enum State: String, Sendable {
        case incomplete
        case complete
        /// It was complete, and is no more.
        case needsAttention
    }

    package var provider: CredentialProvider
    package var title: String
    package var state: State
    /// A sentence for people.
    package var detail: String
    /// The last characters of what is saved.
    package var maskedKey: String?
    package var city: String?
    package var account: String?
    package var connectedAt: Timestamp?
    /// When it has to be renewed.
    package var expiresAt: Timestamp?
    package var scopes: [String]?
    package var recovery: Recovery?
    /// Why it is not well: a `ConnectionState`'s reason or trouble, or a ``VaultTrouble``.
    package var reason: String?
    /// When what is not well passes by itself, if that is known.
    package var until: Timestamp?
    /// The permissions that are missing, for ``Recovery/askScope``; empty otherwise.
    package var missingScopes: [String] = []

    /// How long before its end a consent should be renewed.
    static let renewalNotice = Duration.seconds(14 * 86_400)

    /// - Parameters:
    ///   - record: `nil` when nothing was ever set up.
    ///   - secrets: the person's, of this provider.
    ///   - awaitedScopes: what jobs of the person wait for here.
    ///   - vaultReaders: what the workers that are here can open.
    /// - Throws: ``UnknownConnectionState``.
    package init(
        _ provider: CredentialProvider, record: ConnectionRecord?, secrets: [SecretHint],
        awaitedScopes: Set<String> = [], city: String?, vaultReaders: [VaultReader], now: Timestamp
    ) throws(UnknownConnectionState) {
        let vaultTrouble = vaultReaders.trouble(opening: secrets.map(\.keyID))
        var connection = try record?.connectionState(at: now) ?? .disconnected
        // It was a worker's, at its last call. No call has to be due before that is mended.
        if case .degraded(.secretsSealed, _) = connection, vaultReaders.canOpen, vaultTrouble == nil {
            connection = .connected
        }
        self.provider = provider
        title = provider.setupTitle
        state = State(connection)
        detail = provider.sentence(for: connection)
        recovery = connection.recovery
        reason = connection.reason
        if case .degraded(_, let until) = connection { self.until = until }
        if connection != .disconnected {
            maskedKey = secrets.first { $0.field == provider.shownField }.map { "••••" + $0.hint }
            account = record?.accountName
            connectedAt = record?.authorizedAt
            expiresAt = record?.renewBy
            scopes = record?.scopes.map { $0.split(separator: " ").map(String.init) }
        }
        if provider == .ticketmaster {
            self.city = city
            if connection.isUsable, city == nil {
                state = .incomplete
                detail = "Your key is saved. Add the city you live in."
            }
        }
        noteMissingScopes(awaitedScopes, connection)
        if connection.isUsable, let renewBy = record?.renewBy, renewBy <= now.advanced(by: Self.renewalNotice) {
            detail = "\(provider.displayName) is connected. Your consent ends soon: connect again to renew it."
            (recovery, reason, until, missingScopes) = (.reconnect, "renewalDue", nil, [])
        }
        if let trouble = vaultTrouble {
            state = .needsAttention
            detail = trouble.sentence
            recovery = trouble.recovery
            (reason, until, missingScopes) = (trouble.rawValue, nil, [])
        }
    }

    /// Says which permissions are missing, unless what else is wrong goes first.
    ///
    /// What jobs wait for is asked for although the connection was given it, by its own account: the provider said
    /// otherwise. It is also asked for while there is trouble that passes or that nobody can mend: no call has to be
    /// due before the jobs go on, and none would end the trouble.
    private mutating func noteMissingScopes(_ awaited: Set<String>, _ connection: ConnectionState) {
        var missing: Set<String> = []
        if connection.isUsable, [nil, .retryAt, .tellUser].contains(connection.recovery) { missing = awaited }
        if provider == .spotify, connection == .connected, let granted = scopes {
            missing.formUnion(SpotifyScopes.missing(from: granted))
        }
        guard !missing.isEmpty else { return }
        missingScopes = missing.sorted()
        let waiting = awaited.isEmpty ? "" : " Jobs of yours wait for that."
        detail =
            "\(provider.displayName) is connected without \(missingScopes.permissionWords). Connect again and allow "
            + "it.\(waiting)"
        recovery = .askScope
        reason = ProviderFailure.Kind.scopeMissing.rawValue
        until = nil
    }
}

extension SetupStep.State {
    init(_ connection: ConnectionState) {
        self =
            switch connection.name {
            case .connected, .degraded: .complete
            case .needsReconnect: .needsAttention
            case .disconnected, .authorizing: .incomplete
            }
    }
}

extension ConnectionState {
    /// What is wrong, by its name in the API; `nil` when nothing is.
    fileprivate var reason: String? {
        switch self {
        case .disconnected, .connected: nil
        case .authorizing(_, let reason): reason?.rawValue
        case .degraded(let trouble, _): trouble.rawValue
        case .needsReconnect(let reason): reason.rawValue
        }
    }
}
