import Model
import PrivateFiles
import Storage
import Synchronization

/// What the gateway seals with, as the vault's public key file has it at present. It opens nothing.
///
/// The file is read again whenever it has changed, so that it may come late and be replaced while everything runs.
package final class CurrentPublicKey: SecretSealer {
    package let file: VaultPublicKeyFile
    /// What the file held when it was read the last time, and which file that was.
    private let present = Mutex<(key: VaultPublicKey, identity: PrivateFile.Identity)?>(nil)

    package init(file: VaultPublicKeyFile) {
        self.file = file
    }

    /// The key that the file holds now.
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
