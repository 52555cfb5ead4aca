import Model
import PrivateFiles
import Storage

/// The vault's files, for the processes that may read the private keys: workers and the command line.
package struct VaultFiles: Sendable {
    package let keys: VaultKeyFile
    package let publicKey: VaultPublicKeyFile

    package init(keys: VaultKeyFile, publicKey: VaultPublicKeyFile) {
        self.keys = keys
        self.publicKey = publicKey
    }

    /// The identities of the files. They change whenever a file does.
    package struct Identity: Sendable, Equatable {
        fileprivate var keys: PrivateFile.Identity?
        fileprivate var publicKey: PrivateFile.Identity?
    }

    package var identity: Identity {
        Identity(
            keys: PrivateFile.identity(of: keys.path), publicKey: PrivateFile.identity(of: publicKey.path))
    }

    /// What ``prepare(_:)`` did.
    package struct Preparation: Sendable, Equatable {
        /// The id of a new key; `nil` when none was made.
        package var made: String?
        /// The id of the key whose public half was written; `nil` when the file was already right.
        package var published: String?
        /// The id of a public key in the file that does not belong to any key of the key file: secrets sealed with it
        /// cannot be opened.
        package var unknownPublicKey: String?

        package init() {}
    }

    /// Creates missing files: a key if nothing is sealed yet, and the public key file. Several processes may call this
    /// at once; one of them makes the key. An interrupted call is continued by the next one.
    ///
    /// - Throws: ``VaultKeyFileError``, `missing` only when sealed values exist; ``VaultPublicKeyFileError``;
    ///   ``StorageError``.
    package func prepare(_ database: Database) async throws -> Preparation {
        if let preparation = upToDate() { return preparation }
        return try await database.write { try prepare(in: $0) }
    }

    /// The result if there is nothing to do; `nil` when a file is missing or wrong.
    private func upToDate() -> Preparation? {
        guard let keyring = try? keys.read(), let key = try? publicKey.read() else { return nil }
        return preparation(keyring, key)
    }

    private func preparation(_ keyring: VaultKeyring, _ key: VaultPublicKey) -> Preparation {
        var preparation = Preparation()
        if keyring.key(id: key.id) == nil { preparation.unknownPublicKey = key.id }
        return preparation
    }

    private func prepare(in transaction: WriteTransaction) throws -> Preparation {
        var made: String?
        let keyring: VaultKeyring
        do throws(VaultKeyFileError) {
            keyring = try keys.read()
        } catch .missing(let path) {
            guard try transaction.vault.isEmpty(now: .now()) else { throw VaultKeyFileError.missing(path: path) }
            made = try keys.make()?.current.id
            keyring = try keys.read()
        }
        var preparation: Preparation
        do throws(VaultPublicKeyFileError) {
            // During a rotation it may be a key other than the first.
            preparation = self.preparation(keyring, try publicKey.read())
        } catch {
            switch error {
            case .missing, .malformed: break
            case .unreadable, .unwritable: throw error
            }
            preparation = Preparation()
            preparation.published = try publish(keyring.current)
        }
        // A new key replaces any other public key: nothing was sealed with that one.
        if made != nil, preparation.published == nil { preparation.published = try publish(keyring.current) }
        if preparation.published != nil { preparation.unknownPublicKey = nil }
        preparation.made = made
        return preparation
    }

    /// Writes the public half of a key to the public key file, unless it is already there.
    ///
    /// - Returns: the id of the key if the file was written.
    @discardableResult
    package func publish(_ key: VaultKey) throws(VaultPublicKeyFileError) -> String? {
        guard (try? publicKey.read()) != key.publicKey else { return nil }
        try publicKey.write(key.publicKey)
        return key.id
    }
}
