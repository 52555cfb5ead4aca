import Model
import Storage

extension AccountStore {
    /// Whether an ID token has already been accepted.
    package func isIDTokenUsed(fingerprint: String) throws -> Bool {
        try transaction.row("SELECT 1 AS found FROM used_id_tokens WHERE hash = \(fingerprint)") != nil
    }
}

extension AccountStore where Access == WriteTransaction {
    /// Stores that an ID token is accepted.
    ///
    /// - Parameter expiry: how long this has to be remembered.
    /// - Returns: `false` when any gateway has already accepted it.
    func useIDToken(fingerprint: String, until expiry: Timestamp) throws -> Bool {
        try transaction.execute(
            """
            INSERT INTO used_id_tokens (hash, expires_at) VALUES (\(fingerprint), \(expiry))
            ON CONFLICT (hash) DO NOTHING
            """) == 1
    }

    /// Deletes up to `limit` rows of ID tokens that have expired everywhere; returns their number.
    func pruneUsedIDTokens(at time: PruningTime, limit: Int) throws -> Int {
        try transaction.execute(
            """
            DELETE FROM used_id_tokens
            WHERE hash IN (SELECT hash FROM used_id_tokens WHERE expires_at <= \(time.moment) LIMIT \(limit))
            """)
    }
}
