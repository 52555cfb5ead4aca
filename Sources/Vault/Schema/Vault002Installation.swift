import Storage

extension Migration {
    /// Sealed values of the installation itself, which belong to nobody.
    static let vaultInstallation = Migration(
        domain: "vault", number: 2, name: "installation",
        statements: [
            """
            CREATE TABLE installation_secrets (
                provider TEXT NOT NULL,
                field TEXT NOT NULL,
                key_id TEXT NOT NULL,
                sealed \(Dialect.bytes) NOT NULL,
                updated_at BIGINT NOT NULL,
                PRIMARY KEY (provider, field)
            ) \(Dialect.clusteredByPrimaryKey)
            """
        ])
}
