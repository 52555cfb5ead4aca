import Contracts
import Model
import Storage
import Vault

extension TokenKeeper {
    /// Refreshes under a lease, and stores what came before it is used.
    func refresh(_ grant: RefreshGrant, userID: String) async throws -> Secret {
        let tokens: ConnectionTokens
        do {
            tokens = try await withLease(grant, userID: userID) { try await sendRefresh(grant.refreshToken) }
        } catch {
            // Also for a caller that was cancelled: the lease is to be given back.
            try await Task { try await settle(error, grant, userID: userID) }.value
            throw error
        }
        atMoment(.answered)
        // The provider has done its part by now: whoever waits no more, the answer must not be lost.
        let isStored = try await Task { try await store(tokens, grant, userID: userID) }.value
        atMoment(.stored)
        guard isStored else { throw ConnectionUnavailable(.disconnected) }
        return tokens.accessToken
    }

    /// Keeps the lease while a refresh lasts, which is given up when it takes too long.
    private func withLease(
        _ grant: RefreshGrant, userID: String, _ body: @escaping @Sendable () async throws -> ConnectionTokens
    ) async throws -> ConnectionTokens {
        try await withThrowingTaskGroup(of: ConnectionTokens.self) { group in
            group.addTask { try await body() }
            group.addTask {
                let deadline = MonotonicInstant.now().advanced(by: Self.refreshLimit)
                while MonotonicInstant.now() < deadline {
                    try await Task.sleep(for: Self.leaseRenewal)
                    try await renewLease(grant, userID: userID)
                }
                throw ConnectionFailure(.timedOut, message: "\(serviceName) gave no new token in time.")
            }
            defer { group.cancelAll() }
            guard let tokens = try await group.next() else { throw CancellationError() }
            return tokens
        }
    }

    private func renewLease(_ grant: RefreshGrant, userID: String) async throws {
        let provider = provider
        try await database.write { transaction in
            guard try transaction.isRefreshing(grant, userID: userID, provider: provider) else { return }
            try transaction.setRefreshLease(.mine(grant.owner), userID: userID, provider: provider.rawValue)
        }
    }

    /// Writes the tokens; `false` when the connection is no longer the one that they are for.
    private func store(_ tokens: ConnectionTokens, _ grant: RefreshGrant, userID: String) async throws -> Bool {
        return try await database.write { [provider, vault] transaction in
            guard try transaction.isRefreshing(grant, userID: userID, provider: provider) else { return false }
            let now = Timestamp.now()
            func put(_ secret: Secret, _ field: String) throws {
                try transaction.putSecret(
                    secret, as: SecretName(userID: userID, provider: provider, field: field), by: vault, now: now)
            }
            try put(tokens.accessToken, TokenField.access)
            if let refresh = tokens.refreshToken { try put(refresh, TokenField.refresh) }
            try transaction.handle(.answered, userID: userID, provider: provider, now: now) { record in
                record.tokenExpiresAt = tokens.expiresAt
                if let scopes = tokens.scopes { record.scopes = scopes.joined(separator: " ") }
                record.refresh = nil
            }
            return true
        }
    }

    /// Writes what a refresh that brought nothing means, and gives its lease back.
    ///
    /// As long as nobody knows whether the provider has carried one out, the row keeps its owner's name: if the
    /// provider then refuses the token, it was lost on its way, and not revoked.
    private func settle(_ error: any Error, _ grant: RefreshGrant, userID: String) async throws {
        let provider = provider
        let failure = error as? ConnectionFailure
        // Then the lease ends by itself.
        let mayBeUnderWay = failure == nil || failure?.fault == .timedOut
        let isUnanswered = grant.formerAnswerIsMissing || failure?.isCertain != true
        try await database.write { transaction in
            guard try transaction.isRefreshing(grant, userID: userID, provider: provider) else { return }
            if !mayBeUnderWay {
                let ended = ConnectionRecord.RefreshLease(owner: grant.owner, expiresAt: .now(), boot: BootID.current)
                try transaction.setRefreshLease(isUnanswered ? ended : nil, userID: userID, provider: provider.rawValue)
            }
            let event = failure?.fault.event(until: failure?.until, lostAnswer: grant.formerAnswerIsMissing)
            if let event { try transaction.handle(event, userID: userID, provider: provider, now: .now()) }
        }
    }
}

extension ConnectionFault {
    /// Whether the provider itself said that it did not do what it was asked for.
    var isAnswer: Bool {
        switch self {
        case .serverError, .timedOut, .notReached, .unreadable: false
        default: true
        }
    }
}

extension WriteTransaction {
    fileprivate func isRefreshing(_ grant: RefreshGrant, userID: String, provider: CredentialProvider) throws -> Bool {
        try connection(userID: userID, provider: provider.rawValue)?.refresh?.owner == grant.owner
    }
}

extension ConnectionRecord.RefreshLease {
    /// One from now on.
    static func mine(_ owner: String) -> ConnectionRecord.RefreshLease {
        ConnectionRecord.RefreshLease(
            owner: owner, expiresAt: .now().advanced(by: TokenKeeper.leaseLength), boot: BootID.current)
    }
}
