import Model
import PrivateFiles
import Storage
import Synchronization

/// The vault as the key file has it at present, for the life of a process that opens secrets.
///
/// A key file that is missing, wrong or open to others is no reason not to start: who needs a secret is told why there
/// is none. The file is read again whenever it has changed, so that keys can be put back and rotated while everything
/// runs.
package final class CurrentVault: SecretSealer {
    package let keyFile: VaultKeyFile

    private struct State {
        /// What the file held when it was read the last time, and which file that was.
        var present: (vault: Vault, identity: PrivateFile.Identity)?
        /// All keys that the file ever held in the life of this process, by their ids.
        var known: [String: VaultKey] = [:]
    }

    private let state = Mutex(State())

    package init(keyFile: VaultKeyFile) {
        self.keyFile = keyFile
    }

    /// The keys that the file holds now.
    package func vault() throws(VaultError) -> Vault {
        let identity = PrivateFile.identity(of: keyFile.path)
        if let identity, let vault = state.withLock({ $0.present?.identity == identity ? $0.present?.vault : nil }) {
            return vault
        }
        return try load()
    }

    /// Seals for the key that the file holds first now, and never for one that only the public key file names: what is
    /// sealed for a key that is nowhere else is lost.
    package func seal(_ secret: Secret, as name: SecretName, in _: WriteTransaction) throws -> SealedSecret {
        try vault().seal(secret, as: name)
    }

    /// - Throws: ``VaultError``. A key that was known once stays good for opening while the process lives, for what was
    ///   read just before it left the file.
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
                for key in keyring.keys { (state.known[key.id], state.known[key.formerID]) = (key, key) }
            }
            return vault
        } catch {
            throw .unavailable(error)
        }
    }
}
