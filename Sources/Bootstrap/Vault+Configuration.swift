import Foundation
import Logging
import Vault

extension VaultFiles {
    package init(_ configuration: BacklineConfiguration.Vault) {
        self.init(
            keys: VaultKeyFile(path: configuration.keyFile),
            publicKey: VaultPublicKeyFile(path: configuration.publicKeyFile), formerPath: configuration.formerKeyFile)
    }
}

extension CurrentVault {
    package convenience init(_ configuration: BacklineConfiguration.Vault) {
        self.init(keyFile: VaultKeyFile(path: configuration.keyFile))
    }
}

extension CurrentPublicKey {
    package convenience init(_ configuration: BacklineConfiguration.Vault) {
        self.init(file: VaultPublicKeyFile(path: configuration.publicKeyFile))
    }

    /// Says what keeps the gateway from sealing, and that it could open what it seals. Neither keeps it from starting:
    /// a worker may come later and write the file.
    ///
    /// - Parameter privateKeys: where workers have the keys that open.
    package func start(privateKeys: String, logger: Logger) {
        do throws(VaultError) {
            _ = try key()
        } catch {
            logger.notice("nobody can enter keys or connect services yet", metadata: ["reason": "\(error)"])
        }
        // Only whether it could: what is in the file stays out of this process.
        if access(privateKeys, R_OK) == 0 {
            logger.info(
                "this process could read the keys that open people's secrets, and needs not: see 'The vault's key'",
                metadata: ["file": "\(privateKeys)"])
        }
    }
}
