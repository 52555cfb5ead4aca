import Model
import PrivateFiles
import Storage
import Synchronization

/// The vault with the keys of the key file, for a process that opens secrets.
///
/// A process also starts with a missing, malformed or publicly readable key file: opening and sealing then fail with
/// the reason. The file is read again whenever it changes, so that keys can be restored and rotated at run time.
package final class CurrentVault: SecretSealer {
    package let keyFile: VaultKeyFile

    private struct State {
        /// The keys at the last reading, and the identity of the file then.
        var present: (vault: Vault, identity: PrivateFile.Identity)?
        /// All keys that this process has read from the file, by their ids.
        var known: [String: VaultKey] = [:]
    }

    private let state = Mutex(State())

    package init(keyFile: VaultKeyFile) {
        self.keyFile = keyFile
    }

    /// The keys that the file contains now.
    ///
    /// - Throws: ``VaultError/unavailable(_:)``.
    package func vault() throws(VaultError) -> Vault {
        let identity = PrivateFile.identity(of: keyFile.path)
        if let identity, let vault = state.withLock({ $0.present?.identity == identity ? $0.present?.vault : nil }) {
            return vault
        }
        return try load()
    }

    /// Seals with the first key of the key file. It does not use the public key file, because a secret is lost if it is
    /// sealed for a key that is in no key file.
    package func seal(_ secret: Secret, as name: SecretName, in _: WriteTransaction) throws -> SealedSecret {
        try vault().seal(secret, as: name)
    }

    /// Opens a sealed secret. Keys that are no longer in the file still open secrets while the process lives, for a
    /// secret that was read just before the end of a rotation.
    ///
    /// - Throws: ``VaultError``.
    package func open(_ sealed: SealedSecret, as name: SecretName) throws(VaultError) -> Secret {
        if let key = state.withLock({ $0.known[sealed.keyID] }) {
            return try Vault(keyring: VaultKeyring(current: key)).open(sealed, as: name)
        }
        return try load().open(sealed, as: name)
    }

    private func load() throws(VaultError) -> Vault {
        do throws(VaultKeyFileError) {
            let (keyring, identity) = try keyFile.load()
            let vault = Vault(keyring: keyring)
            state.withLock { state in
                state.present = (vault, identity)
                for key in keyring.keys { state.known[key.id] = key }
            }
            return vault
        } catch {
            throw .unavailable(error)
        }
    }
}
