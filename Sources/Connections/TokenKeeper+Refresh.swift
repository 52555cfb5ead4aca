import Contracts
import Model
import Storage
import Vault

extension TokenKeeper {
    /// Refreshes under a lease, and stores what came before it is used.
    ///
    /// A caller that is cancelled waits for the end all the same: once the request has left, the provider may have
    /// taken the old token back, and only its answer holds the new one.
    ///
    /// - Returns: `nil` when what came of it is not this connection's any more: look again how it stands.
    func refresh(_ grant: RefreshGrant, userID: String) async throws -> Secret? {
        try await Task { try await refreshToTheEnd(grant, userID: userID) }.value
    }

    private func refreshToTheEnd(_ grant: RefreshGrant, userID: String) async throws -> Secret? {
        let tokens: ConnectionTokens
        let departure = RefreshDeparture(in: underWay)
        defer { departure.end() }
        do {
            tokens = try await withLease(grant, userID: userID) { try await send(grant, departure) }
        } catch {
            let isSettled = try await settle(error, grant, hasLeft: departure.hasLeft, userID: userID)
            if !isSettled, error is ProviderFailure { return nil }
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

    /// Before the process ends: lets no refresh leave any more, and waits until what those bring that have left is
    /// stored, until `deadline` at the latest.
    package func finish(by deadline: MonotonicInstant) async {
        await underWay.finish(by: deadline)
    }

    /// When all refreshes that have left are over at the latest; `nil` when none has.
    package var refreshesEnd: MonotonicInstant? { underWay.latestEnd }

    /// Sends the refresh, unless its turn does not come in time.
    private func send(_ grant: RefreshGrant, _ departure: RefreshDeparture) async throws -> ConnectionTokens {
        try await Self.first { group in
            group.addTask { try await sendRefresh(grant.refreshToken, departure) }
            group.addTask {
                try await Task.sleep(for: departureLimit)
                guard departure.callOff() else { return nil }
                throw ProviderFailure(
                    provider, .timedOut, outcome: .notSent,
                    message: "\(provider.displayName) could not be asked for a new token in time: too many calls wait.")
            }
        }
    }

    /// Keeps the lease while `body` runs.
    private func withLease(
        _ grant: RefreshGrant, userID: String, _ body: @escaping @Sendable () async throws -> ConnectionTokens
    ) async throws -> ConnectionTokens {
        try await Self.first { group in
            group.addTask { try await body() }
            group.addTask {
                while true {
                    try await Task.sleep(for: Self.leaseRenewal)
                    // Where it cannot be written, nobody else can take it either.
                    try? await renewLease(grant, userID: userID)
                }
            }
        }
    }

    /// The first tokens that a task of the group brings, which ends the others.
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

    /// Tries a write again for a while when it cannot be made: the database is locked, the disk full, or the vault's
    /// key not to be read.
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

    /// Writes the tokens; `false` when the connection is no longer the one that they are for.
    ///
    /// The token that was sent decides that, and not the lease, which another may hold by now: as long as that token
    /// is the connection's, these are its successors, and where tokens rotate the only ones that are good.
    private func store(_ tokens: ConnectionTokens, _ grant: RefreshGrant, userID: String) async throws -> Bool {
        try await database.write { [provider, vault] transaction in
            let now = Timestamp.now()
            func name(_ field: String) -> SecretName {
                SecretName(userID: userID, provider: provider, field: field)
            }
            let record = try transaction.connections.record(userID: userID, provider: provider.rawValue)
            let present = try transaction.vault.sealedSecret(
                userID: userID, provider: provider.rawValue, field: TokenField.refresh)
            // Opened, since a rotation of the vault's key seals the same token anew.
            guard let record, try record.connectionState(at: now).isUsable, let present,
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
                // Whoever else refreshes has sent the former token: what comes of that is no word about this one.
                record.refresh = nil
            }
            return true
        }
    }

    /// Writes what a refresh that brought nothing means, and gives its lease back.
    ///
    /// As long as nobody knows whether the provider has carried one out, the row keeps its owner's name: if the
    /// provider then refuses the token, it was lost on its way, and not revoked.
    ///
    /// - Returns: `false` when the lease is another's, or nobody's, by now, and nothing was written.
    private func settle(
        _ error: any Error, _ grant: RefreshGrant, hasLeft: Bool, userID: String
    ) async throws -> Bool {
        let provider = provider
        let failure = error as? ProviderFailure
        if failure?.kind == .grantRefused, grant.formerAnswerIsMissing {
            try await awaitSuccessor(grant, userID: userID)
        }
        // Then the lease ends by itself.
        let mayBeUnderWay = hasLeft && (failure == nil || failure?.kind == .timedOut)
        let isUnanswered = grant.formerAnswerIsMissing || (hasLeft && failure?.outcome ?? .unknown == .unknown)
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

    /// Waits for whoever sent the refused token before and may still hold what came for it.
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
    fileprivate func isRefreshing(_ grant: RefreshGrant, userID: String, provider: CredentialProvider) throws -> Bool {
        try record(userID: userID, provider: provider.rawValue)?.refresh?.owner == grant.owner
    }
}

extension ConnectionRecord.RefreshLease {
    /// One from now on.
    static func mine(_ owner: String) -> ConnectionRecord.RefreshLease {
        ConnectionRecord.RefreshLease(
            owner: owner, expiresAt: .now().advanced(by: TokenKeeper.leaseLength), boot: BootID.current)
    }
}
