import Model
import PrivateFiles
import Storage
import Synchronization

/// The public key that the gateway seals with, from the vault's public key file.
///
/// The file is read again whenever it changes, so that it may appear late and be replaced at run time.
package final class CurrentPublicKey: SecretSealer {
    package let file: VaultPublicKeyFile
    /// The key at the last read, and the identity of the file then.
    private let present = Mutex<(key: VaultPublicKey, identity: PrivateFile.Identity)?>(nil)

    package init(file: VaultPublicKeyFile) {
        self.file = file
    }

    /// The key that the file contains now.
    ///
    /// - Throws: ``VaultError/cannotSeal(_:)``.
    package func key() throws(VaultError) -> VaultPublicKey {
        let identity = PrivateFile.identity(of: file.path)
        if let identity, let key = present.withLock({ $0?.identity == identity ? $0?.key : nil }) { return key }
        do throws(VaultPublicKeyFileError) {
            let (key, identity) = try file.load()
            present.withLock { $0 = (key, identity) }
            return key
        } catch {
            throw .cannotSeal(error)
        }
    }

    package func seal(_ secret: Secret, as name: SecretName, in _: WriteTransaction) throws -> SealedSecret {
        try key().seal(secret, as: name)
    }
}
