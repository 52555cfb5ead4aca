import Foundation
import Model
import PrivateFiles
import Storage

/// The vault's files, as those have them who may read the private keys: workers and the command line.
package struct VaultFiles: Sendable {
    package let keys: VaultKeyFile
    package let publicKey: VaultPublicKeyFile
    /// Where releases up to schema 15 had the keys unless they were told another place; `nil` when this one was.
    package let formerPath: String?

    package init(keys: VaultKeyFile, publicKey: VaultPublicKeyFile, formerPath: String? = nil) {
        self.keys = keys
        self.publicKey = publicKey
        self.formerPath = formerPath
    }

    /// Which files they are, and of when.
    package struct Identity: Sendable, Equatable {
        fileprivate var keys: PrivateFile.Identity?
        fileprivate var publicKey: PrivateFile.Identity?

        /// Whether there is a file of keys where it belongs.
        package var hasKeys: Bool { keys != nil }
    }

    package var identity: Identity {
        Identity(
            keys: PrivateFile.identity(of: keys.path), publicKey: PrivateFile.identity(of: publicKey.path))
    }

    /// What was done so that secrets can be sealed and opened.
    package struct Preparation: Sendable, Equatable {
        /// The id of a key that was made just now.
        package var made: String?
        /// Where the keys were until now, if that was another place.
        package var movedFrom: String?
        /// The id of the key whose public half was written down just now.
        package var published: String?
        /// What the public key file holds when that is of no key of the key file: what is sealed with it does not open.
        package var unknownPublicKey: String?

        package init() {}
    }

    /// Sees to it that there are keys, and that the public one can be read by whoever only seals. Of several processes
    /// that do so at once, one's key is the vault's; whatever is interrupted goes on with the next call.
    ///
    /// - Throws: ``VaultKeyFileError``, `missing` also when there are secrets that another key sealed;
    ///   ``VaultPublicKeyFileError``, or what the database throws.
    package func prepare(_ database: Database) async throws -> Preparation {
        if let preparation = settled() { return preparation }
        return try await database.write { try prepare(in: $0) }
    }

    /// `nil` when something is to be written, or wrong.
    private func settled() -> Preparation? {
        guard !hasFormer, let keyring = try? keys.read(), let key = try? publicKey.read() else { return nil }
        return preparation(keyring, key)
    }

    private func preparation(_ keyring: VaultKeyring, _ key: VaultPublicKey) -> Preparation {
        var preparation = Preparation()
        if keyring.key(id: key.id) == nil { preparation.unknownPublicKey = key.id }
        return preparation
    }

    private func prepare(in transaction: WriteTransaction) throws -> Preparation {
        let movedFrom = try takeOver()
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
            // Another than the first is there while a rotation is under way.
            preparation = self.preparation(keyring, try publicKey.read())
        } catch {
            switch error {
            case .missing, .malformed: break
            case .unreadable, .unwritable: throw error
            }
            preparation = Preparation()
            preparation.published = try publish(keyring.current)
        }
        // What else it may hold: nothing was sealed that a key could have been for.
        if made != nil, preparation.published == nil { preparation.published = try publish(keyring.current) }
        if preparation.published != nil { preparation.unknownPublicKey = nil }
        (preparation.made, preparation.movedFrom) = (made, movedFrom)
        return preparation
    }

    /// Writes down which key seals from now on, unless the file says so.
    ///
    /// - Returns: its id, if it was written.
    @discardableResult
    package func publish(_ key: VaultKey) throws(VaultPublicKeyFileError) -> String? {
        guard (try? publicKey.read()) != key.publicKey else { return nil }
        try publicKey.write(key.publicKey)
        return key.id
    }

    /// The keys, wherever they are, without moving them.
    package func readKeys() throws(VaultKeyFileError) -> VaultKeyring {
        do throws(VaultKeyFileError) {
            return try keys.read()
        } catch {
            guard case .missing = error, let formerPath, hasFormer else { throw error }
            return try VaultKeyFile(path: formerPath).read()
        }
    }

    // MARK: The former place

    /// Whether there are keys where only releases before look.
    package var hasFormer: Bool { formerPath.map { FileManager.default.fileExists(atPath: $0) } ?? false }

    /// Takes keys from where releases before had them. They are written before they are removed there; after a process
    /// was killed in between, the next one finds the same keys in both places.
    ///
    /// - Returns: where they were; `nil` when there was nothing to move, or there are other keys in both places.
    func takeOver() throws(VaultKeyFileError) -> String? {
        guard let formerPath, hasFormer else { return nil }
        let present = try? keys.read()
        let former: VaultKeyring
        do throws(VaultKeyFileError) {
            former = try VaultKeyFile(path: formerPath).read()
        } catch {
            if present != nil { return nil }
            throw error
        }
        if let present {
            guard former.keys.allSatisfy({ present.keys.contains($0) }) else { return nil }
        } else {
            guard try keys.add(former) else { return nil }
        }
        unlink(formerPath)
        return formerPath
    }
}
