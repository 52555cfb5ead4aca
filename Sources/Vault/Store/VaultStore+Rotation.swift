import Model
import Storage

/// A sealed secret with its key in the database.
package struct StoredSecret: Sendable, Equatable {
    package var userID: String
    package var provider: String
    package var field: String
    package var secret: SealedSecret

    init(row: Row) throws {
        userID = try row["user_id"]
        provider = try row["provider"]
        field = try row["field"]
        secret = try SealedSecret(row: row)
    }
}

/// The secrets of people, and those of the installation with an empty `user_id`.
private let allSecrets: SQL = """
    (SELECT user_id, provider, field, key_id, sealed, hint FROM secrets
    UNION ALL SELECT '', provider, field, key_id, sealed, '' FROM installation_secrets) AS all_secrets
    """

private let secretOrder = Keyset<String, String, String>("secrets", by: "user_id", "provider", "field")

extension VaultStore {
    /// Secrets that were not sealed with the key `keyID`, beginning after `last`.
    package func secrets(
        notSealedWith keyID: String, after last: StoredSecret?, limit: Int
    ) throws -> [StoredSecret] {
        let cursor = last.map { Cursor($0.userID, $0.provider, $0.field) }
        return try transaction.rows(
            """
            SELECT user_id, provider, field, key_id, sealed, hint FROM \(allSecrets)
            WHERE key_id <> \(keyID) \(secretOrder.following(cursor)) ORDER BY \(secretOrder.order) LIMIT \(limit)
            """
        ).map(StoredSecret.init)
    }

    /// All secrets that were sealed with a key.
    package func secrets(sealedWith keyID: String) throws -> [StoredSecret] {
        try transaction.rows(
            "SELECT user_id, provider, field, key_id, sealed, hint FROM \(allSecrets) WHERE key_id = \(keyID)"
        )
        .map(StoredSecret.init)
    }

    /// The number of sealed values per key: secrets, and values that live only minutes (unexpired candidates and
    /// authorizations).
    package func sealedCounts(now: Timestamp) throws -> [(keyID: String, secrets: Int, passing: Int)] {
        try transaction.rows(
            """
            SELECT key_id, CAST(SUM(kept) AS BIGINT) AS secrets, CAST(SUM(passing) AS BIGINT) AS passing FROM (
                SELECT key_id, 1 AS kept, 0 AS passing FROM secrets
                UNION ALL SELECT key_id, 1, 0 FROM installation_secrets
                UNION ALL SELECT key_id, 0, 1 FROM credential_candidates WHERE expires_at > \(now)
                UNION ALL SELECT key_id, 0, 1 FROM authorizations WHERE expires_at > \(now)
                UNION ALL SELECT code_key_id, 0, 1 FROM authorizations
                    WHERE expires_at > \(now) AND code_key_id IS NOT NULL
            ) AS sealed GROUP BY key_id ORDER BY key_id
            """
        ).map { (try $0["key_id"], try $0["secrets"], try $0["passing"]) }
    }
}

extension VaultStore where Access == WriteTransaction {
    /// Replaces the seal of a secret that was read before.
    ///
    /// - Returns: `false` when the secret has changed since.
    package func reseal(_ stored: StoredSecret, as secret: SealedSecret) throws -> Bool {
        if stored.userID.isEmpty {
            return try transaction.execute(
                """
                UPDATE installation_secrets SET key_id = \(secret.keyID), sealed = \(secret.bytes)
                WHERE provider = \(stored.provider) AND field = \(stored.field) AND sealed = \(stored.secret.bytes)
                """) == 1
        }
        return try transaction.execute(
            """
            UPDATE secrets SET key_id = \(secret.keyID), sealed = \(secret.bytes)
            WHERE user_id = \(stored.userID) AND provider = \(stored.provider) AND field = \(stored.field)
                AND sealed = \(stored.secret.bytes)
            """) == 1
    }
}
