import Contracts
import Model
import Storage
import Vault

/// A step of a person's setup, as pages and the API show it.
package struct SetupStep: Sendable, Equatable {
    package enum State: String, Sendable {
        case incomplete
        case complete
        /// It was complete, but no longer works.
        case needsAttention
    }

    package var provider: Provider
    package var title: String
    package var state: State
    /// A sentence for people.
    package var detail: String
    /// The last characters of the saved key.
    package var maskedKey: String?
    package var city: String?
    package var account: String?
    package var connectedAt: Timestamp?
    /// When the consent ends.
    package var expiresAt: Timestamp?
    package var scopes: [String]?
    package var recovery: Recovery?
    /// What is wrong: a reason or trouble of ``ConnectionState``, a ``VaultTrouble``, or another code; `nil` when
    /// nothing is wrong.
    package var reason: String?
    /// When the reason ends by itself, if that is known.
    package var until: Timestamp?
    /// The permissions that are missing, for ``Recovery/askScope``; empty otherwise.
    package var missingScopes: [String] = []
    /// The open question whether another Spotify account replaces ``account``.
    package var question: AccountQuestion?
    /// The names of replaced accounts whose data the person kept.
    package var formerAccounts: [String] = []
    /// Whether the installation has its own key, so that the person needs none: Apple Music's developer key.
    package var hasInstallationKey = false
    /// The Spotify apps that the person can connect with; `nil` for other providers.
    package var apps: SpotifyApps?
    /// Whether the connection uses another Spotify app than the one that connecting again would use.
    package var usesOtherApp = false
    /// The address to register with one's own Spotify app; `nil` if Spotify accepts none.
    package var redirectURI: String?

    /// How long before the end of a consent its renewal is due.
    static let renewalNotice = Duration.seconds(14 * 86_400)

    /// - Parameters:
    ///   - record: `nil` when the person never set up this provider.
    ///   - apps: the apps at Spotify; `nil` for other providers.
    ///   - redirectURI: the address to register with one's own Spotify app.
    ///   - secrets: the person's secrets of this provider.
    ///   - question: the person's open question at this provider.
    ///   - formerAccounts: the person's replaced accounts at this provider.
    ///   - authorizingUntil: when the person's latest unfinished attempt to connect ends; `nil` when there is none.
    ///   - awaitedScopes: the scopes that the person's jobs are waiting for.
    ///   - kinds: all kinds of jobs, whose scopes Spotify has to grant.
    ///   - hasInstallationKey: whether the installation has Apple Music's developer key; `false` for other providers.
    ///   - vaultReaders: the keys with which the connected workers can open secrets.
    /// - Throws: ``UnknownConnectionState``.
    package init(
        _ provider: Provider, record: ConnectionRecord?, apps: SpotifyApps? = nil, redirectURI: String? = nil,
        secrets: [SecretHint],
        question: AccountQuestion? = nil, formerAccounts: [FormerAccountRecord] = [],
        authorizingUntil: Timestamp? = nil, awaitedScopes: Set<String> = [], kinds: JobKinds, city: String?,
        hasInstallationKey: Bool = false, vaultReaders: [VaultReader], now: Timestamp
    ) throws(UnknownConnectionState) {
        let vaultTrouble = vaultReaders.trouble(opening: secrets.map(\.keyID))
        var connection =
            try record?.connectionState(at: now, clientID: apps?.client(of: record)) ?? .disconnected
        // At its last call, a worker could not open the secrets. Workers can by now, but no call has shown it yet.
        if case .degraded(.secretsSealed, _) = connection, vaultReaders.canOpen, vaultTrouble == nil {
            connection = .connected
        }
        // These ends are not stored, and neither is the attempt that follows them: the row still has a working
        // connection.
        if case .needsReconnect(let reason) = connection, [.consentEnded, .clientChanged].contains(reason),
            let authorizingUntil
        {
            connection = .authorizing(until: authorizingUntil, after: reason)
        }
        self.provider = provider
        title = provider.setupTitle
        state = State(connection)
        detail = provider.sentence(for: connection)
        self.hasInstallationKey = hasInstallationKey
        if hasInstallationKey, connection == .disconnected { detail = provider.invitationWithoutKey }
        (self.apps, self.redirectURI) = (apps, redirectURI)
        if let apps {
            if let text = apps.sentence(for: connection, isOwn: apps.isOwn(record)) { detail = text }
            usesOtherApp = connection.isUsable && apps.client(of: record) != apps.chosen
        }
        recovery = connection.recovery
        reason = connection.reason
        if case .degraded(_, let until) = connection { self.until = until }
        if connection != .disconnected {
            maskedKey = secrets.first { $0.field == provider.shownField }.map { "••••" + $0.hint }
            account = record?.accountName
            connectedAt = record?.authorizedAt.map { min($0, now) }
            expiresAt = record?.consentEnd(at: now)
            scopes = record?.scopes.map { $0.split(separator: " ").map(String.init) }
        }
        if provider == .ticketmaster {
            self.city = city
            if connection.isUsable, city == nil {
                state = .incomplete
                detail = "Your key is saved. Add the city you live in."
            }
        }
        markMissingScopes(awaitedScopes, kinds, connection)
        markMissingKey(connection, secrets)
        if connection.isUsable, let renewBy = record?.renewBy, renewBy <= now.advanced(by: Self.renewalNotice) {
            detail = "\(provider.displayName) is connected. Your consent ends soon: connect again to renew it."
            (recovery, reason, until, missingScopes) = (.reconnect, "renewalDue", nil, [])
        }
        self.formerAccounts = formerAccounts.map { $0.accountName ?? $0.accountID }
        if let question {
            self.question = question
            detail =
                "You signed in at Spotify as \(question.account.displayName). Decide whether this account replaces "
                + "\(account ?? "the connected one")."
            (recovery, reason, until, missingScopes) = (.tellUser, "otherAccount", nil, [])
        }
        if let trouble = vaultTrouble {
            state = .needsAttention
            detail = trouble.sentence
            recovery = trouble.recovery
            (reason, until, missingScopes) = (trouble.rawValue, nil, [])
        }
    }

    /// Lists the missing scopes, unless something else is wrong that has to be corrected first.
    ///
    /// Scopes that jobs wait for count as missing even if the connection lists them, because the provider refused a
    /// call without them. Missing scopes are listed even if the last call failed for a reason that passes or has no
    /// remedy, because there may be no further call that would clear that reason: a sync makes none without the scopes.
    private mutating func markMissingScopes(
        _ awaited: Set<String>, _ kinds: JobKinds, _ connection: ConnectionState
    ) {
        var missing: Set<String> = []
        if connection.isUsable, [nil, .retryAt, .tellUser].contains(connection.recovery) {
            missing = awaited
            if provider == .spotify, let granted = scopes {
                missing.formUnion(SpotifyScopes.missing(from: granted, for: kinds))
            }
        }
        guard !missing.isEmpty else { return }
        missingScopes = missing.sorted()
        let waiting = awaited.isEmpty ? "" : " Some of your jobs are waiting for this."
        detail =
            "\(provider.displayName) is connected without \(missingScopes.permissionWords). Connect again and allow "
            + "it.\(waiting)"
        recovery = .askScope
        reason = ProviderFailure.Kind.scopeMissing.rawValue
        until = nil
    }

    /// A person who connected Apple Music with the installation's developer key needs their own once the installation
    /// has none.
    private mutating func markMissingKey(_ connection: ConnectionState, _ secrets: [SecretHint]) {
        guard provider == .appleMusic, connection.isUsable, !hasInstallationKey,
            !secrets.contains(where: { $0.field == SecretField.privateKey })
        else { return }
        state = .needsAttention
        detail =
            "This Backline no longer has a developer key for Apple Music. Enter your own, or ask its operator "
            + "to configure one."
        (recovery, reason, until) = (.fixConfiguration, ProviderFailure.Kind.credentialMissing.rawValue, nil)
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
