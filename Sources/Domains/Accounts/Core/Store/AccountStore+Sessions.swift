import Model
import Storage

/// A session, without its secret.
package struct SessionRecord: Sendable, Equatable {
    package let id: String
    /// The hash of its session token.
    package let hash: String
    /// The browser's `User-Agent` when it began.
    package let userAgent: String?
    package let createdAt: Timestamp
    /// To the minute.
    package let lastUsedAt: Timestamp
    /// When it ends unless it is used before then.
    package let expiresAt: Timestamp
    /// When it ends in any case.
    package let endsAt: Timestamp

    init(row: Row) throws {
        id = try row["id"]
        hash = try row["hash"]
        userAgent = try row["user_agent"]
        createdAt = try row["created_at"]
        lastUsedAt = try row["last_used_at"]
        expiresAt = try row["expires_at"]
        endsAt = try row["ends_at"]
    }
}

extension AccountStore {
    /// A user's sessions that have not ended, oldest first.
    package func sessions(ofUser userID: String, now: Timestamp) throws -> [SessionRecord] {
        try transaction.rows(
            """
            SELECT hash, id, user_agent, created_at, last_used_at, expires_at, ends_at FROM sessions
            WHERE user_id = \(userID) AND expires_at > \(now)
            ORDER BY created_at, id
            """
        ).map(SessionRecord.init)
    }

    /// The session of a hash; `nil` when it is unknown or has ended, or its person is suspended.
    package func session(hash: String, now: Timestamp) throws -> Session? {
        try transaction.row(
            """
            SELECT \(UserRecord.columns), sessions.expires_at, sessions.ends_at, sessions.token_hash
            FROM sessions JOIN users ON users.id = sessions.user_id
            WHERE sessions.hash = \(hash) AND sessions.expires_at > \(now) AND users.suspended_at IS NULL
            """
        ).map {
            Session(
                user: try UserRecord(row: $0), expiresAt: try $0["expires_at"], endsAt: try $0["ends_at"],
                tokenHash: try $0["token_hash"])
        }
    }

    /// When the browser of a session signed in; `nil` for an unknown session.
    package func signInMoment(ofSession hash: String) throws -> Timestamp? {
        try transaction.row("SELECT created_at FROM sessions WHERE hash = \(hash)")?["created_at"]
    }

    /// The user that a link signs in; `nil` when it is unknown, has expired or has been consumed.
    package func user(signInLinkHash hash: String, now: Timestamp) throws -> UserRecord? {
        try transaction.row(
            """
            SELECT \(UserRecord.columns) FROM sign_in_links JOIN users ON users.id = sign_in_links.user_id
            WHERE sign_in_links.hash = \(hash) AND sign_in_links.expires_at > \(now)
                AND users.suspended_at IS NULL
            """
        ).map(UserRecord.init)
    }
}

extension AccountStore where Access == WriteTransaction {
    // MARK: Sessions

    /// - Parameters:
    ///   - tokenHash: the hash of the API token that it begins with, and ends with.
    ///   - userAgent: the browser's `User-Agent`.
    ///   - expiresAt: when it ends unless it is used before then; no later than `endsAt`.
    ///   - endsAt: when it ends in any case.
    package func insertSession(
        hash: String, id: String, userID: String, tokenHash: String?, userAgent: String? = nil, createdAt: Timestamp,
        expiresAt: Timestamp, endsAt: Timestamp
    ) throws {
        try transaction.run(
            """
            INSERT INTO sessions
                (hash, id, user_id, token_hash, user_agent, created_at, last_used_at, expires_at, ends_at)
            VALUES (\(hash), \(id), \(userID), \(tokenHash), \(userAgent), \(createdAt), \(createdAt),
                \(expiresAt), \(endsAt))
            """)
        try recordSeen("SELECT user_id FROM sessions WHERE hash = \(hash)", at: createdAt.wholeMinute)
    }

    /// Stores when a user was last seen, unless a later moment is stored.
    ///
    /// - Parameter user: selects the user's id.
    func recordSeen(_ user: SQL, at time: Timestamp) throws {
        try transaction.run(
            """
            UPDATE users SET last_seen_at = \(time)
            WHERE id = (\(user)) AND (last_seen_at IS NULL OR last_seen_at < \(time))
            """)
    }

    package func deleteSession(hash: String) throws {
        let owner: String? = try transaction.row("SELECT user_id FROM sessions WHERE hash = \(hash)")?["user_id"]
        guard let owner else { return }
        try transaction.run("DELETE FROM sessions WHERE hash = \(hash)")
        transaction.recordChange(of: [owner], topic: .credentials)
    }

    /// Ends one of a user's sessions; returns whether there was one.
    package func deleteSession(id: String, userID: String) throws -> Bool {
        guard try transaction.execute("DELETE FROM sessions WHERE id = \(id) AND user_id = \(userID)") > 0 else {
            return false
        }
        transaction.recordChange(of: [userID], topic: .credentials)
        return true
    }

    /// Ends all sessions of a user but the `count` most recently used.
    package func deleteSessions(ofUser userID: String, beyond count: Int) throws {
        let ended = try transaction.execute(
            """
            DELETE FROM sessions WHERE user_id = \(userID) AND hash NOT IN (
                SELECT hash FROM sessions WHERE user_id = \(userID) ORDER BY last_used_at DESC, id DESC LIMIT \(count))
            """)
        if ended > 0 { transaction.recordChange(of: [userID], topic: .credentials) }
    }

    /// Stores a use, unless a later one is stored, and moves the session's end to `expiresAt`, but not beyond
    /// `ends_at`.
    package func setSessionLastUsed(hash: String, at time: Timestamp, expiresAt: Timestamp) throws {
        try transaction.run(
            """
            UPDATE sessions SET last_used_at = \(time),
                expires_at = CASE WHEN \(expiresAt) > ends_at THEN ends_at ELSE \(expiresAt) END
            WHERE hash = \(hash)
                AND (last_used_at <= \(time) OR (expires_at < \(expiresAt) AND expires_at < ends_at))
            """)
        try recordSeen("SELECT user_id FROM sessions WHERE hash = \(hash)", at: time)
    }

    /// Signs a user out everywhere. Their API tokens stay.
    func deleteSessionsAndLinks(ofUser id: String) throws {
        try transaction.run("DELETE FROM sessions WHERE user_id = \(id)")
        try transaction.run("DELETE FROM sign_in_links WHERE user_id = \(id)")
        transaction.recordChange(of: [id], topic: .credentials)
    }

    /// Deletes up to `limit` sessions that have ended; returns their number.
    package func pruneSessions(at time: PruningTime, limit: Int) throws -> Int {
        try transaction.execute(
            """
            DELETE FROM sessions
            WHERE hash IN (SELECT hash FROM sessions WHERE expires_at <= \(time.moment) LIMIT \(limit))
            """)
    }

    // MARK: Sign-in links

    package func insertSignInLink(
        hash: String, userID: String, createdAt: Timestamp, expiresAt: Timestamp
    ) throws {
        try transaction.run(
            """
            INSERT INTO sign_in_links (hash, user_id, created_at, expires_at)
            VALUES (\(hash), \(userID), \(createdAt), \(expiresAt))
            """)
    }

    /// Deletes a link and returns its user; `nil` when it is unknown, has expired or has been consumed.
    package func consumeSignInLink(hash: String, now: Timestamp) throws -> UserRecord? {
        // The write lock keeps others from consuming it between these two statements.
        let user = try user(signInLinkHash: hash, now: now)
        try transaction.run("DELETE FROM sign_in_links WHERE hash = \(hash)")
        return user
    }

    /// Deletes up to `limit` links that have expired; returns their number.
    package func pruneSignInLinks(at time: PruningTime, limit: Int) throws -> Int {
        try transaction.execute(
            """
            DELETE FROM sign_in_links
            WHERE hash IN (SELECT hash FROM sign_in_links WHERE expires_at <= \(time.moment) LIMIT \(limit))
            """)
    }
}
