import Settings

/// The settings of the vault, whose keys protect people's secrets.
package struct VaultSettings: SettingsSection {
    /// The file with the private keys, which open secrets; for workers and the command line.
    package var keyFile: String
    /// The file with the public key, which seals secrets; for all processes.
    package var publicKeyFile: String

    package static let keys = [Keys.keyFile.summary, Keys.publicKeyFile.summary]

    package init(reading reader: inout ConfigurationReader) {
        keyFile = reader.value(Keys.keyFile) ?? reader.path(besideDatabase: "vault/vault.key")
        publicKeyFile = reader.value(Keys.publicKeyFile) ?? reader.path(besideDatabase: "vault.pub")
    }
}

extension VaultFiles {
    package init(_ settings: VaultSettings) {
        self.init(
            keys: VaultKeyFile(path: settings.keyFile), publicKey: VaultPublicKeyFile(path: settings.publicKeyFile))
    }
}

extension CurrentVault {
    package convenience init(_ settings: VaultSettings) {
        self.init(keyFile: VaultKeyFile(path: settings.keyFile))
    }
}

extension CurrentPublicKey {
    package convenience init(_ settings: VaultSettings) {
        self.init(file: VaultPublicKeyFile(path: settings.publicKeyFile))
    }
}

private enum Keys {
    static let keyFile = ConfigurationKey(
        "vault.keyFile", optional: .filePath, example: "/etc/backline/vault.key",
        meaning: """
            The file with the private keys that open people's secrets in the database. Workers read it; the gateway does
            not need it. Unset, it is vault/vault.key beside the database. If it is missing and there are no secrets
            yet, a worker creates it. Back it up separately from the database: without it, people have to enter their
            keys and connect their services again.
            """)

    static let publicKeyFile = ConfigurationKey(
        "vault.publicKeyFile", optional: .filePath, example: "/var/lib/backline/vault.pub",
        meaning: """
            The file with the public key that seals people's secrets; it is not a secret. Workers derive it from the
            private key and write it, and the gateway reads it. Unset, it is vault.pub beside the database.
            """)
}
