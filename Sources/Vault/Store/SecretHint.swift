import Storage

/// What may be known of a secret without opening it.
package struct SecretHint: Sendable, Equatable {
    package var provider: String
    package var field: String
    /// Of the vault key that opens it.
    package var keyID: String
    /// The last characters; empty when the secret is too short for that.
    package var hint: String
}

extension VaultStore {
    /// A person's secrets, as far as they may be shown.
    package func secretHints(userID: String) throws -> [SecretHint] {
        try transaction.rows("SELECT provider, field, key_id, hint FROM secrets WHERE user_id = \(userID)").map { row in
            SecretHint(
                provider: try row["provider"], field: try row["field"], keyID: try row["key_id"],
                hint: try row["hint"])
        }
    }
}
