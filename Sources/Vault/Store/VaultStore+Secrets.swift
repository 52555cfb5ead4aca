import Model
import Storage

/// A sealed secret of the database.
package struct SealedSecret: Sendable, Equatable {
    /// The id of the vault key that opens it.
    package var keyID: String
    /// The seal (``VaultPublicKey``).
    package var bytes: [UInt8]
    /// The last four characters, which may be shown; empty for a short secret.
    package var hint: String

    package init(keyID: String, bytes: [UInt8], hint: String) {
        self.keyID = keyID
        self.bytes = bytes
        self.hint = hint
    }

    init(row: Row) throws {
        keyID = try row["key_id"]
        bytes = try row["sealed"]
        hint = try row["hint"]
    }
}

/// What can be known about a secret without opening it.
package struct SecretHint: Sendable, Equatable {
    package var provider: String
    package var field: String
    /// The id of the vault key that opens it.
    package var keyID: String
    /// The last four characters; empty for a short secret.
    package var hint: String
}

extension VaultStore {
    /// - Parameter provider: a `Provider`'s raw value.
    package func sealedSecret(userID: String, provider: String, field: String) throws -> SealedSecret? {
        try transaction.row(
            """
            SELECT key_id, sealed, hint FROM secrets
            WHERE user_id = \(userID) AND provider = \(provider) AND field = \(field)
            """
        ).map(SealedSecret.init)
    }

    /// A user's secrets of one provider, by field.
    package func sealedSecrets(userID: String, provider: String) throws -> [String: SealedSecret] {
        let rows = try transaction.rows(
            "SELECT field, key_id, sealed, hint FROM secrets WHERE user_id = \(userID) AND provider = \(provider)")
        return try rows.reduce(into: [:]) { secrets, row in secrets[try row["field"]] = try SealedSecret(row: row) }
    }

    /// The hints of a person's secrets.
    package func secretHints(userID: String) throws -> [SecretHint] {
        try transaction.rows("SELECT provider, field, key_id, hint FROM secrets WHERE user_id = \(userID)").map { row in
            SecretHint(
                provider: try row["provider"], field: try row["field"], keyID: try row["key_id"],
                hint: try row["hint"])
        }
    }

    /// Whether the vault has no secrets and no unexpired candidates or authorizations.
    package func isEmpty(now: Timestamp) throws -> Bool {
        try transaction.row(
            """
            SELECT 1 AS found WHERE EXISTS (SELECT 1 FROM secrets)
                OR EXISTS (SELECT 1 FROM installation_secrets)
                OR EXISTS (SELECT 1 FROM credential_candidates WHERE expires_at > \(now))
                OR EXISTS (SELECT 1 FROM authorizations WHERE expires_at > \(now))
            """) == nil
    }
}

extension VaultStore where Access == WriteTransaction {
    /// Seals a secret and stores it, replacing the former one.
    ///
    /// - Throws: ``VaultError``, ``StorageError``.
    package func putSecret(_ secret: Secret, as name: SecretName, by vault: some SecretSealer, now: Timestamp) throws {
        try putSecret(
            try vault.seal(secret, as: name, in: transaction), userID: name.userID, provider: name.provider.rawValue,
            field: name.field, now: now)
    }

    /// Stores a sealed secret, replacing the former one.
    package func putSecret(
        _ secret: SealedSecret, userID: String, provider: String, field: String, now: Timestamp
    ) throws {
        try transaction.run(
            """
            INSERT INTO secrets (user_id, provider, field, key_id, sealed, hint, updated_at)
            VALUES (\(userID), \(provider), \(field), \(secret.keyID), \(secret.bytes), \(secret.hint), \(now))
            ON CONFLICT (user_id, provider, field) DO UPDATE SET
                key_id = excluded.key_id, sealed = excluded.sealed, hint = excluded.hint,
                updated_at = excluded.updated_at
            """)
    }

    package func deleteSecret(_ name: SecretName) throws {
        try transaction.run(
            """
            DELETE FROM secrets
            WHERE user_id = \(name.userID) AND provider = \(name.provider.rawValue) AND field = \(name.field)
            """)
    }

    package func deleteSecrets(userID: String, provider: String) throws {
        try transaction.run("DELETE FROM secrets WHERE user_id = \(userID) AND provider = \(provider)")
    }
}
