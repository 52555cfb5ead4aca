import Model
import Storage

extension VaultStore {
    /// A secret of the installation.
    package func installationSecret(_ name: SecretName) throws -> SealedSecret? {
        try transaction.row(
            """
            SELECT key_id, sealed, '' AS hint FROM installation_secrets
            WHERE provider = \(name.provider.rawValue) AND field = \(name.field)
            """
        ).map(SealedSecret.init)
    }
}

extension VaultStore where Access == WriteTransaction {
    /// Seals a secret of the installation and stores it, replacing the former one.
    ///
    /// - Throws: ``VaultError``, ``StorageError``.
    package func putInstallationSecret(
        _ secret: Secret, as name: SecretName, by vault: some SecretSealer, now: Timestamp
    ) throws {
        precondition(name.userID.isEmpty, "a secret of a person")
        let sealed = try vault.seal(secret, as: name, in: transaction)
        try transaction.run(
            """
            INSERT INTO installation_secrets (provider, field, key_id, sealed, updated_at)
            VALUES (\(name.provider.rawValue), \(name.field), \(sealed.keyID), \(sealed.bytes), \(now))
            ON CONFLICT (provider, field) DO UPDATE
            SET key_id = excluded.key_id, sealed = excluded.sealed, updated_at = excluded.updated_at
            """)
    }

    package func deleteInstallationSecret(_ name: SecretName) throws {
        try transaction.run(
            """
            DELETE FROM installation_secrets
            WHERE provider = \(name.provider.rawValue) AND field = \(name.field)
            """)
    }
}
