import Model
import Platform
import Storage
import Vault

extension TokenKeeper {
    /// Refreshes a token under a lease, and stores the new tokens before they are used.
    ///
    /// The refresh continues if the caller is cancelled: once the request is sent, the provider may have revoked the
    /// old token, and only the answer contains the new one.
    ///
    /// - Returns: `nil` when the connection has changed in the meantime, so that the tokens do not belong to it: read
    ///   it again.
    func refresh(_ grant: RefreshGrant, userID: String) async throws -> Secret? {
        try await Task { try await refreshToTheEnd(grant, userID: userID) }.value
    }

    private func refreshToTheEnd(_ grant: RefreshGrant, userID: String) async throws -> Secret? {
        let tokens: ConnectionTokens
        let gate = RefreshSendGate(in: underWay)
        defer { gate.end() }
        do {
            tokens = try await withLease(grant, userID: userID) { try await send(grant, gate) }
        } catch {
            let isFinal = try await storeFailure(error, grant, wasSent: gate.wasSent, userID: userID)
            if !isFinal, error is ProviderFailure { return nil }
            throw error
        }
        atMoment(.answered)
        let isStored: Bool
        do {
            isStored = try await persistently { try await store(tokens, grant, userID: userID) }
        } catch let error as VaultError {
            throw sealed(error)
        }
        atMoment(.stored)
        return isStored ? tokens.accessToken : nil
    }

    /// Called before the process ends: sends no further refreshes, and waits until `deadline` for the tokens of those
    /// under way to be stored.
    package func finish(by deadline: MonotonicInstant) async {
        await underWay.finish(by: deadline)
    }

    /// The latest possible end of all refreshes under way; `nil` when there are none.
    package var refreshesEnd: MonotonicInstant? { underWay.latestEnd }

    /// Sends the refresh, unless it has to wait longer than ``sendLimit``.
    private func send(_ grant: RefreshGrant, _ gate: RefreshSendGate) async throws -> ConnectionTokens {
        try await Self.first { group in
            group.addTask { try await sendRefresh(grant.refreshToken, gate) }
            group.addTask {
                try await waitForSendLimit(sendLimit)
                guard gate.cancel() else { return nil }
                throw ProviderFailure(
                    provider, .timedOut, outcome: .notSent,
                    message: "\(provider.displayName) could not be asked for a new token in time: too many calls are "
                        + "waiting.")
            }
        }
    }

    /// Renews the lease while `body` runs.
    private func withLease(
        _ grant: RefreshGrant, userID: String, _ body: @escaping @Sendable () async throws -> ConnectionTokens
    ) async throws -> ConnectionTokens {
        try await Self.first { group in
            group.addTask { try await body() }
            group.addTask {
                while true {
                    try await Task.sleep(for: Self.leaseRenewal)
                    // If the lease cannot be written, no other process can take it either.
                    try? await renewLease(grant, userID: userID)
                }
            }
        }
    }

    /// Returns the first tokens that a task of the group returns. The other tasks are cancelled.
    private static func first(
        _ add: (inout ThrowingTaskGroup<ConnectionTokens?, any Error>) -> Void
    ) async throws -> ConnectionTokens {
        try await withThrowingTaskGroup(of: ConnectionTokens?.self) { group in
            add(&group)
            defer { group.cancelAll() }
            for try await case let tokens? in group { return tokens }
            throw CancellationError()
        }
    }

    private func renewLease(_ grant: RefreshGrant, userID: String) async throws {
        let provider = provider
        try await database.write { transaction in
            guard try transaction.connections.isRefreshing(grant, userID: userID, provider: provider) else { return }
            try transaction.connections.setRefreshLease(.mine(grant.owner), userID: userID, provider: provider.rawValue)
        }
    }

    /// Repeats a failing write, for ``storePatience``: the database may be locked, the disk full, or the vault's key
    /// file unreadable.
    private func persistently<Value: Sendable>(_ write: () async throws -> Value) async throws -> Value {
        let deadline = MonotonicInstant.now().advanced(by: Self.storePatience)
        while true {
            do {
                return try await write()
            } catch  where error as? StorageError != .closed && MonotonicInstant.now() < deadline {
                try await Task.sleep(for: Self.storePause)
            }
        }
    }

    /// Stores the tokens of a refresh, if the connection still has the refresh token that was sent.
    ///
    /// The lease is not decisive, since another process may hold it by now: as long as the connection has the token
    /// that was sent, these are its successors and, with rotating tokens, the only valid ones.
    ///
    /// - Returns: `false` when the connection has another refresh token, or none, and nothing was stored.
    private func store(_ tokens: ConnectionTokens, _ grant: RefreshGrant, userID: String) async throws -> Bool {
        try await database.write { [provider, clientID, vault] transaction in
            let now = Timestamp.now()
            func name(_ field: String) -> SecretName {
                SecretName(userID: userID, provider: provider, field: field)
            }
            let record = try transaction.connections.record(userID: userID, provider: provider.rawValue)
            let present = try transaction.vault.sealedSecret(
                userID: userID, provider: provider.rawValue, field: TokenField.refresh)
            // Also after the end of the consent, which may only appear so because the clock is ahead: the former token
            // may already be invalid.
            guard let record, try record.storableState(at: now).isUsable, record.isGranted(to: clientID), let present,
                // Compared as plain text, since a rotation of the vault's key seals the same token again.
                try vault.open(present, as: name(TokenField.refresh)) == grant.refreshToken
            else { return false }
            func put(_ secret: Secret, _ field: String) throws {
                try transaction.vault.putSecret(secret, as: name(field), by: vault, now: now)
            }
            try put(tokens.accessToken, TokenField.access)
            if let refresh = tokens.refreshToken { try put(refresh, TokenField.refresh) }
            try transaction.connections.handle(.answered, userID: userID, provider: provider, now: now) { record in
                record.tokenExpiresAt = tokens.expiresAt
                if let scopes = tokens.scopes { record.scopes = scopes.joined(separator: " ") }
                // The provider accepts a refresh token only from the client that it was granted to.
                record.clientID = clientID
                // Another process that is refreshing has sent the former token: its outcome does not matter here.
                record.refresh = nil
            }
            return true
        }
    }

    /// Stores the outcome of a failed refresh, and ends its lease.
    ///
    /// While it is unknown whether the provider has carried out the refresh, the id of the attempt is left in the row.
    /// If the provider then refuses the token, the new token was lost in transit, and the consent was not revoked.
    ///
    /// - Returns: `false` when this attempt no longer holds the lease, and nothing was stored.
    private func storeFailure(
        _ error: any Error, _ grant: RefreshGrant, wasSent: Bool, userID: String
    ) async throws -> Bool {
        let provider = provider
        let failure = error as? ProviderFailure
        if failure?.kind == .grantRefused, grant.formerAnswerIsMissing {
            try await awaitSuccessor(grant, userID: userID)
        }
        // The lease of a refresh that may still be under way is left to expire.
        let mayBeUnderWay = wasSent && (failure == nil || failure?.kind == .timedOut)
        let isUnanswered = grant.formerAnswerIsMissing || (wasSent && failure?.outcome ?? .unknown == .unknown)
        return try await database.write { transaction in
            guard try transaction.connections.isRefreshing(grant, userID: userID, provider: provider) else {
                return false
            }
            if !mayBeUnderWay {
                let ended = ConnectionRecord.RefreshLease(owner: grant.owner, expiresAt: .now(), boot: BootID.current)
                try transaction.connections.setRefreshLease(
                    isUnanswered ? ended : nil, userID: userID, provider: provider.rawValue)
            }
            let event = failure?.connectionEvent(lostAnswer: grant.formerAnswerIsMissing)
            if let event { try transaction.connections.handle(event, userID: userID, provider: provider, now: .now()) }
            return true
        }
    }

    /// Waits for the process that previously sent the refused token: it may still store the successor.
    private func awaitSuccessor(_ grant: RefreshGrant, userID: String) async throws {
        let provider = provider
        let deadline = MonotonicInstant.now().advanced(by: successorPatience)
        while MonotonicInstant.now() < deadline,
            try await database.read({ try $0.connections.isRefreshing(grant, userID: userID, provider: provider) })
        {
            try await Task.sleep(for: Self.lookInterval)
        }
    }
}

extension ConnectionStore {
    fileprivate func isRefreshing(_ grant: RefreshGrant, userID: String, provider: Provider) throws -> Bool {
        try record(userID: userID, provider: provider.rawValue)?.refresh?.owner == grant.owner
    }
}

extension ConnectionRecord.RefreshLease {
    /// A lease that starts now.
    static func mine(_ owner: String) -> ConnectionRecord.RefreshLease {
        ConnectionRecord.RefreshLease(
            owner: owner, expiresAt: .now().advanced(by: TokenKeeper.leaseLength), boot: BootID.current)
    }
}
