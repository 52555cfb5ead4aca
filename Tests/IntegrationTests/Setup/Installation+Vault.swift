import TestProcesses
import Vault

extension Installation {
    /// The vault's files at their default paths.
    var vaultFiles: VaultFiles {
        VaultFiles(
            keys: VaultKeyFile(path: folder + "/vault/vault.key"),
            publicKey: VaultPublicKeyFile(path: folder + "/vault.pub"))
    }
}
