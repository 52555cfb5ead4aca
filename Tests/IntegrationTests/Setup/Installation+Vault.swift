import TestProcesses
import Vault

extension Installation {
    /// Where its processes have them unless a test tells them another place.
    var vaultFiles: VaultFiles {
        VaultFiles(
            keys: VaultKeyFile(path: folder + "/vault/vault.key"),
            publicKey: VaultPublicKeyFile(path: folder + "/vault.pub"), formerPath: folder + "/vault.key")
    }
}
