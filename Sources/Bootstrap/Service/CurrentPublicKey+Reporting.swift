import Foundation
import Logging
import Vault

extension CurrentPublicKey {
    /// Logs whether the gateway lacks the public key, and whether it could read the private keys, which it should not.
    /// It starts in both cases: a worker that starts later writes the public key.
    ///
    /// - Parameter privateKeys: the path of the workers' file of private keys.
    package func start(privateKeys: String, logger: Logger) {
        do throws(VaultError) {
            _ = try key()
        } catch {
            logger.notice("people cannot enter keys or connect services yet", metadata: ["reason": "\(error)"])
        }
        // Only the permission is checked: the file's content stays out of this process.
        if access(privateKeys, R_OK) == 0 {
            logger.info(
                "this process should not be able to read the private keys: see docs/operations.md, 'The vault's key'",
                metadata: ["file": "\(privateKeys)"])
        }
    }
}
