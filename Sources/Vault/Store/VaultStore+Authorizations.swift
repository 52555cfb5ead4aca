import Model
import Storage

extension VaultStore {
    package func authorization(stateHash: String) throws -> AuthorizationRecord? {
        try transaction.row("SELECT \(AuthorizationRecord.columns) FROM authorizations WHERE state_hash = \(stateHash)")
            .map(AuthorizationRecord.init)
    }

    package func authorization(id: String) throws -> AuthorizationRecord? {
        try transaction.row("SELECT \(AuthorizationRecord.columns) FROM authorizations WHERE id = \(id)")
            .map(AuthorizationRecord.init)
    }

    /// When the latest of a person's unfinished attempts with a provider ends; `nil` when there is none. An attempt
    /// from the future, by a clock that was ahead, does not count.
    ///
    /// - Parameter since: when the person last connected. An attempt from before that was given up.
    package func authorizationEnd(
        userID: String, provider: String, since: Timestamp?, now: Timestamp
    ) throws -> Timestamp? {
        try transaction.row(
            """
            SELECT expires_at FROM authorizations
            WHERE user_id = \(userID) AND provider = \(provider) AND created_at <= \(now) AND expires_at > \(now)
                AND created_at > \(since ?? Timestamp(microseconds: 0))
            ORDER BY expires_at DESC LIMIT 1
            """
        ).map { try $0["expires_at"] }
    }
}

extension VaultStore where Access == WriteTransaction {
    package func insertAuthorization(_ authorization: AuthorizationRecord) throws {
        try transaction.run(
            """
            INSERT INTO authorizations (\(AuthorizationRecord.columns))
            VALUES (\(authorization.stateHash), \(authorization.id), \(authorization.userID),
                \(authorization.sessionHash), \(authorization.provider), \(authorization.clientID),
                \(authorization.redirectURI),
                \(authorization.scopes), \(authorization.nonce), \(authorization.verifier.keyID),
                \(authorization.verifier.bytes), \(authorization.code?.keyID), \(authorization.code?.bytes),
                \(authorization.returnTo), \(authorization.createdAt), \(authorization.expiresAt))
            """)
    }

    /// Stores the code from the provider's redirect.
    ///
    /// - Returns: `false` when there is a code already, or the attempt has expired.
    package func setAuthorizationCode(_ code: SealedSecret, id: String, now: Timestamp) throws -> Bool {
        try transaction.execute(
            """
            UPDATE authorizations SET code_key_id = \(code.keyID), sealed_code = \(code.bytes)
            WHERE id = \(id) AND sealed_code IS NULL AND expires_at > \(now)
            """) == 1
    }

    /// - Returns: whether it existed.
    @discardableResult
    package func deleteAuthorization(id: String) throws -> Bool {
        try transaction.execute("DELETE FROM authorizations WHERE id = \(id)") == 1
    }

    /// Deletes all of a person's attempts with a provider.
    package func deleteAuthorizations(userID: String, provider: String) throws {
        try transaction.run("DELETE FROM authorizations WHERE user_id = \(userID) AND provider = \(provider)")
    }

    /// Deletes up to `limit` expired attempts.
    ///
    /// - Returns: the number of deleted attempts.
    @discardableResult
    package func pruneAuthorizations(at time: PruningTime, limit: Int) throws -> Int {
        try transaction.execute(
            """
            DELETE FROM authorizations
            WHERE state_hash IN (
                SELECT state_hash FROM authorizations WHERE expires_at <= \(time.moment) LIMIT \(limit))
            """)
    }

    /// Deletes up to `limit` of the oldest sign-in attempts, except for the newest `count`.
    ///
    /// - Returns: the number of deleted attempts.
    @discardableResult
    package func pruneAnonymousAuthorizations(beyond count: Int, limit: Int) throws -> Int {
        try transaction.execute(
            """
            DELETE FROM authorizations WHERE state_hash IN (
                SELECT state_hash FROM authorizations WHERE user_id IS NULL
                ORDER BY expires_at DESC, state_hash LIMIT \(limit) OFFSET \(count))
            """)
    }

    /// The number of a person's unexpired attempts.
    package func authorizationCount(userID: String, provider: String, now: Timestamp) throws -> Int {
        try transaction.row(
            """
            SELECT COUNT(*) AS count FROM authorizations
            WHERE user_id = \(userID) AND provider = \(provider) AND expires_at > \(now)
            """)?["count"] ?? 0
    }
}
