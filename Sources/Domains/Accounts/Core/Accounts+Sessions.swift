import Model
import Storage

/// A person who is signed in.
package struct Session: Sendable {
    package var user: UserRecord
    /// When it ends unless it is used before then.
    package var expiresAt: Timestamp
    /// When it ends in any case.
    package var endsAt: Timestamp
    /// The hash of the API token that it began with.
    package var tokenHash: String?
}

extension Accounts {
    /// How long a sign-in link works.
    package static let signInLinkLifetime = Duration.seconds(600)
    /// How long a session lasts after its last use.
    package static let sessionLifetime = Duration.seconds(30 * 86_400)
    /// How long a session lasts at most, however much it is used.
    package static let maximumSessionAge = Duration.seconds(90 * 86_400)
    /// The most sessions of one person; nobody has more browsers.
    package static let maximumSessions = 100

    // MARK: Signing in and out

    /// A code that signs a user in once, for ten minutes.
    package func signInLink(user name: String, now: Timestamp = .now()) async throws -> SignInCode {
        let code = SignInCode.random()
        let hash = code.hash
        try await database.write { transaction in
            let user = try transaction.accounts.requireUser(named: name)
            guard try !transaction.accounts.isSuspended(user.id) else { throw AccountError.suspended(user.name) }
            try transaction.accounts.insertSignInLink(
                hash: hash, userID: user.id, createdAt: now, expiresAt: now.advanced(by: Self.signInLinkLifetime))
        }
        return code
    }

    /// The user that a link's code signs in, without consuming it; `nil` when it is unknown, too old or already used.
    package func user(for code: SignInCode, now: Timestamp = .now()) async throws -> UserRecord? {
        let hash = code.hash
        return try await database.read { try $0.accounts.user(signInLinkHash: hash, now: now) }
    }

    /// Signs in with a link's code and consumes it. If several requests try at once, one succeeds.
    ///
    /// - Parameter former: the browser's session until now; it ends.
    /// - Returns: `nil` when the code is unknown, too old or already used.
    package func signIn(
        link code: SignInCode, userAgent: String? = nil, replacing former: SessionToken? = nil, now: Timestamp = .now()
    ) async throws -> (SessionToken, Session)? {
        let (hash, key) = (code.hash, SessionToken.random())
        let (keyHash, formerHash) = (key.hash, former?.hash)
        return try await database.write { transaction in
            guard let user = try transaction.accounts.consumeSignInLink(hash: hash, now: now) else { return nil }
            let session = try Self.insertSession(
                keyHash, user: user, tokenHash: nil, userAgent: userAgent, replacing: formerHash, now: now,
                in: transaction)
            return (key, session)
        }
    }

    /// Begins a session with an API token. It ends no later than the token.
    ///
    /// - Parameter former: the browser's session until now; it ends.
    /// - Returns: `nil` when the token is unknown.
    package func signIn(
        token: APIToken, userAgent: String? = nil, replacing former: SessionToken? = nil, now: Timestamp = .now()
    ) async throws -> (SessionToken, Session)? {
        let (hash, key) = (token.hash, SessionToken.random())
        let (keyHash, formerHash) = (key.hash, former?.hash)
        return try await database.write { transaction in
            guard let (user, end) = try transaction.accounts.user(tokenHash: hash, now: now) else { return nil }
            let session = try Self.insertSession(
                keyHash, user: user, tokenHash: hash, endsBy: end, userAgent: userAgent, replacing: formerHash,
                now: now, in: transaction)
            return (key, session)
        }
    }

    /// Inserts a session. If the person has ``maximumSessions``, the least recently used ends.
    ///
    /// - Parameters:
    ///   - end: the end of the API token that it begins with.
    ///   - formerHash: the session that the browser forgets for this one. It is deleted, since nobody could sign out of
    ///     it.
    static func insertSession(
        _ hash: String, user: UserRecord, tokenHash: String?, endsBy end: Timestamp? = nil, userAgent: String?,
        replacing formerHash: String?, now: Timestamp, in transaction: WriteTransaction
    ) throws -> Session {
        let age = now.advanced(by: maximumSessionAge)
        let end = min(end ?? age, age)
        let expiry = min(now.advanced(by: sessionLifetime), end)
        if let formerHash { try transaction.accounts.deleteSession(hash: formerHash) }
        try transaction.accounts.deleteSessions(ofUser: user.id, beyond: maximumSessions - 1)
        try transaction.accounts.insertSession(
            hash: hash, id: UUIDv7.next(), userID: user.id, tokenHash: tokenHash, userAgent: userAgent.map(shortened),
            createdAt: now, expiresAt: expiry, endsAt: end)
        return Session(user: user, expiresAt: expiry, endsAt: end, tokenHash: tokenHash)
    }

    /// The first 300 characters of a `User-Agent`, which are enough to recognize a browser.
    private static func shortened(_ userAgent: String) -> String {
        String(String.UnicodeScalarView(userAgent.unicodeScalars.filter { $0.value >= 0x20 }.prefix(300)))
    }

    /// A user's sessions that have not ended, oldest first.
    package func sessions(userID: String, now: Timestamp = .now()) async throws -> [SessionRecord] {
        try await database.read { try $0.accounts.sessions(ofUser: userID, now: now) }
    }

    /// Ends one of a user's own sessions.
    ///
    /// - Returns: whether the user had a session of that id.
    package func endSession(id: String, userID: String) async throws -> Bool {
        try await database.write { try $0.accounts.deleteSession(id: id, userID: userID) }
    }

    /// The session of a session token; `nil` when it is unknown or has ended.
    package func session(_ key: SessionToken, now: Timestamp = .now()) async throws -> Session? {
        let hash = key.hash
        return try await database.read { try $0.accounts.session(hash: hash, now: now) }
    }

    package func signOut(_ key: SessionToken) async throws {
        let hash = key.hash
        try await database.write { try $0.accounts.deleteSession(hash: hash) }
    }

    // MARK: Proving it again

    /// How long after a sign-in a person may do what cannot be undone.
    package static let recentSignInLifetime = Duration.seconds(600)

    /// Whether a person has just proved who they are: the browser has signed in within ten minutes, or the person has
    /// typed one of their API tokens.
    ///
    /// - Parameters:
    ///   - credential: that of the request.
    ///   - token: the token that was typed, if any.
    package func hasRecentSignIn(
        userID: String, with credential: CredentialHash?, typed token: APIToken?, now: Timestamp = .now()
    ) async throws -> Bool {
        let typed = token?.hash
        return try await database.read { reader in
            if let typed, let owner = try reader.accounts.user(tokenHash: typed, now: now)?.user {
                return owner.id == userID
            }
            guard case .session(let hash) = credential,
                let moment = try reader.accounts.signInMoment(ofSession: hash)
            else { return false }
            return moment > now.advanced(by: .zero - Self.recentSignInLifetime)
        }
    }

    // MARK: Upkeep

    /// Stores when tokens and sessions were last used, to the minute, and moves the end of these sessions. The
    /// gateway collects uses, so that a request costs no write.
    ///
    /// - Parameters:
    ///   - tokens: moments by the token's hash.
    ///   - sessions: moments by the session token's hash.
    package func recordUses(tokens: [String: Timestamp], sessions: [String: Timestamp]) async throws {
        guard !tokens.isEmpty || !sessions.isEmpty else { return }
        try await database.write { transaction in
            for (hash, time) in tokens { try transaction.accounts.setTokenLastUsed(hash: hash, at: time.wholeMinute) }
            for (hash, time) in sessions {
                try transaction.accounts.setSessionLastUsed(
                    hash: hash, at: time.wholeMinute, expiresAt: time.advanced(by: Self.sessionLifetime))
            }
        }
    }

    /// Deletes expired sessions, sign-in links, invitations and used ID tokens, and names that are no longer held, up to
    /// `batch` in a transaction.
    ///
    /// - Returns: the number of sessions.
    @discardableResult
    package func prune(at time: PruningTime, batch: Int = Database.upkeepBatch) async throws -> Int {
        try await database.deleteInBatches(at: time, of: batch) { try $0.accounts.pruneSignInLinks(at: $1, limit: $2) }
        try await database.deleteInBatches(at: time, of: batch) { try $0.accounts.pruneUsedIDTokens(at: $1, limit: $2) }
        try await database.deleteInBatches(at: time, of: batch) { try $0.accounts.pruneInvitations(at: $1, limit: $2) }
        try await database.deleteInBatches(at: time, of: batch) { try $0.accounts.pruneFormerNames(at: $1, limit: $2) }
        try await database.deleteInBatches(at: time, of: batch) { try $0.accounts.pruneHeldNames(at: $1, limit: $2) }
        return try await database.deleteInBatches(at: time, of: batch) {
            try $0.accounts.pruneSessions(at: $1, limit: $2)
        }
    }
}

extension Timestamp {
    var wholeMinute: Timestamp { Timestamp(microseconds: microseconds / 60_000_000 * 60_000_000) }
}
