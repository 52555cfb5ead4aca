import Model

extension SQLReader {
    /// Whose session it is, and until when, if it is not over.
    package func session(hash: String, now: Timestamp) throws -> (user: UserRecord, expiresAt: Timestamp)? {
        try row(
            """
            SELECT \(UserRecord.columns), sessions.expires_at FROM sessions JOIN users ON users.id = sessions.user_id
            WHERE sessions.hash = \(hash) AND sessions.expires_at > \(now)
            """
        ).map { (try UserRecord(row: $0), try $0["expires_at"]) }
    }
}

extension WriteTransaction {
    // MARK: Sessions

    /// - Parameter tokenHash: of the token that it was begun with; it ends with that token.
    package func insertSession(
        hash: String, id: String, userID: String, tokenHash: String?, createdAt: Timestamp, expiresAt: Timestamp
    ) throws {
        try execute(
            """
            INSERT INTO sessions (hash, id, user_id, token_hash, created_at, last_used_at, expires_at)
            VALUES (\(hash), \(id), \(userID), \(tokenHash), \(createdAt), \(createdAt), \(expiresAt))
            """)
    }

    package func deleteSession(hash: String) throws {
        try execute("DELETE FROM sessions WHERE hash = \(hash)")
    }

    package func setSessionLastUsed(hash: String, at time: Timestamp, expiresAt: Timestamp) throws {
        try execute(
            """
            UPDATE sessions SET last_used_at = \(time), expires_at = \(expiresAt)
            WHERE hash = \(hash) AND expires_at < \(expiresAt)
            """)
    }

    /// Deletes sessions that are over; returns how many.
    package func pruneSessions(now: Timestamp) throws -> Int {
        try execute("DELETE FROM sessions WHERE expires_at <= \(now)")
    }

    // MARK: Sign-in links

    package func insertSignInLink(
        hash: String, userID: String, createdAt: Timestamp, expiresAt: Timestamp
    ) throws {
        try execute(
            """
            INSERT INTO sign_in_links (hash, user_id, created_at, expires_at)
            VALUES (\(hash), \(userID), \(createdAt), \(expiresAt))
            """)
    }

    /// Deletes a link and says whose it was; `nil` when it is unknown, over, or was consumed before.
    package func consumeSignInLink(hash: String, now: Timestamp) throws -> UserRecord? {
        // Under the write lock nobody comes between.
        let user = try row(
            """
            SELECT \(UserRecord.columns) FROM sign_in_links JOIN users ON users.id = sign_in_links.user_id
            WHERE sign_in_links.hash = \(hash) AND sign_in_links.expires_at > \(now)
            """
        ).map(UserRecord.init)
        try execute("DELETE FROM sign_in_links WHERE hash = \(hash)")
        return user
    }

    package func pruneSignInLinks(now: Timestamp) throws {
        try execute("DELETE FROM sign_in_links WHERE expires_at <= \(now)")
    }
}
