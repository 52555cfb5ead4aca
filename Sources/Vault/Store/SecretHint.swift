import Storage

/// What is known of a secret without opening it.
package struct SecretHint: Sendable, Equatable {
    package var provider: String
    package var field: String
    /// The id of the vault key that opens it.
    package var keyID: String
    /// The last four characters; empty for a short secret.
    package var hint: String
}

extension VaultStore {
    /// The hints of a person's secrets.
    package func secretHints(userID: String) throws -> [SecretHint] {
        try transaction.rows("SELECT provider, field, key_id, hint FROM secrets WHERE user_id = \(userID)").map { row in
            SecretHint(
                provider: try row["provider"], field: try row["field"], keyID: try row["key_id"],
                hint: try row["hint"])
        }
    }
}
