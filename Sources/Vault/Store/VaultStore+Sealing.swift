import Model
import Storage

extension VaultStore where Access == WriteTransaction {
    /// Seals a secret and puts it in the place of the one before it.
    ///
    /// - Throws: ``VaultError``, ``StorageError``.
    package func putSecret(_ secret: Secret, as name: SecretName, by vault: some SecretSealer, now: Timestamp) throws {
        try putSecret(
            try vault.seal(secret, as: name, in: transaction), userID: name.userID, provider: name.provider.rawValue,
            field: name.field, now: now)
    }
}
