import Model
import Storage

extension AccountStore {
    /// Whether an ID token was accepted before.
    package func isIDTokenUsed(fingerprint: String) throws -> Bool {
        try transaction.row("SELECT 1 AS found FROM used_id_tokens WHERE hash = \(fingerprint)") != nil
    }
}

extension AccountStore where Access == WriteTransaction {
    /// Notes that an ID token is accepted; `false` when it was before, also by another gateway.
    ///
    /// - Parameter expiry: until when it has to be known again.
    func useIDToken(fingerprint: String, until expiry: Timestamp) throws -> Bool {
        try transaction.execute(
            """
            INSERT INTO used_id_tokens (hash, expires_at) VALUES (\(fingerprint), \(expiry))
            ON CONFLICT (hash) DO NOTHING
            """) == 1
    }

    /// Deletes up to `limit` notes of ID tokens that are accepted no more; returns how many.
    func pruneUsedIDTokens(at time: PruningTime, limit: Int) throws -> Int {
        try transaction.execute(
            """
            DELETE FROM used_id_tokens
            WHERE hash IN (SELECT hash FROM used_id_tokens WHERE expires_at <= \(time.moment) LIMIT \(limit))
            """)
    }
}
