import Model
import PrivateFiles
import Storage
import Synchronization

/// The vault as the key file has it at present, for the life of a process.
///
/// A key file that is missing, wrong or open to others is no reason not to start: who needs a secret is told why there
/// is none. The file is read again whenever it has changed, so that keys can be put back and rotated while everything
/// runs.
package final class CurrentVault: Sendable {
    package let keyFile: VaultKeyFile

    private struct Loaded {
        var vault: Vault
        var identity: PrivateFile.Identity
    }

    private let loaded = Mutex<Loaded?>(nil)

    package init(keyFile: VaultKeyFile) {
        self.keyFile = keyFile
    }

    /// What seals: the file has to be there, since what is sealed with a key that is nowhere else is lost.
    package func vault() throws(VaultError) -> Vault {
        let identity = PrivateFile.identity(of: keyFile.path)
        if let identity, let vault = loaded.withLock({ $0?.identity == identity ? $0?.vault : nil }) { return vault }
        return try load()
    }

    /// Takes a look at a file of some 200 bytes, or at its times alone.
    package func seal(_ secret: Secret, as name: SecretName) throws -> SealedSecret {
        try vault().seal(secret, as: name)
    }

    /// - Throws: ``VaultError``. A key that was known once stays good for opening while the process lives.
    package func open(_ sealed: SealedSecret, as name: SecretName) throws(VaultError) -> Secret {
        if let vault = loaded.withLock({ $0?.vault }), vault.keyring.key(id: sealed.keyID) != nil {
            return try vault.open(sealed, as: name)
        }
        return try load().open(sealed, as: name)
    }

    private func load() throws(VaultError) -> Vault {
        do throws(VaultKeyFileError) {
            let (keyring, identity) = try keyFile.load()
            let vault = Vault(keyring: keyring)
            loaded.withLock { $0 = Loaded(vault: vault, identity: identity) }
            return vault
        } catch {
            throw .unavailable(error)
        }
    }
}
