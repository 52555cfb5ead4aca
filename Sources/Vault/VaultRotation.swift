import Model
import Storage

/// Replaces the vault's key at run time.
///
/// First the new key is written to the top of the key file, and its public half to the public key file. Then every
/// secret is resealed. The former keys are removed from the file once no sealed value needs them. An interrupted
/// rotation is continued by the next call, which makes no further key.
///
/// The files change only in write transactions, and a ``SecretSealer`` reads them in one. Only one write transaction
/// runs at a time across all processes. So nothing is sealed with a former key once both files are written, and no
/// sealed value needs a key that is removed.
package struct VaultRotation: Sendable {
    package struct Progress: Sendable, Equatable {
        /// The id of the key that seals.
        package var currentID: String
        package var resealed = 0
        /// Secrets that cannot be opened with the key that sealed them, because they were modified. They stay as they
        /// are.
        package var damaged = 0
        /// Secrets whose key is not in the file. They stay as they are.
        package var lost = 0
        /// The ids of keys that were removed from the file.
        package var dropped: [String] = []
        /// The number of sealed values that still need a former key: sign-ins and unverified keys, which live for at
        /// most ten minutes.
        package var remaining = 0
    }

    private let files: VaultFiles
    private let database: Database

    package init(files: VaultFiles, database: Database) {
        self.files = files
        self.database = database
    }

    /// Rotates the key, or continues an interrupted rotation.
    ///
    /// - Throws: ``VaultKeyFileError``, ``VaultPublicKeyFileError``, ``StorageError``.
    package func run() async throws -> Progress {
        let keyring = try await begin(publishing: true)
        var progress = try await reseal(keyring)
        try await dropUnused(&progress)
        return progress
    }

    /// Makes a new key, unless an unfinished rotation has already made one.
    ///
    /// - Parameter publishing: whether all processes seal with it from now on.
    /// - Throws: ``VaultKeyFileError``, ``VaultPublicKeyFileError``, ``StorageError``.
    package func begin(publishing: Bool) async throws -> VaultKeyring {
        try await database.write { [files] _ in
            var keyring = try files.keys.read()
            if keyring.former.isEmpty {
                keyring = VaultKeyring(current: .random(), former: [keyring.current])
                try files.keys.replace(with: keyring)
            }
            if publishing { try files.publish(keyring.current) }
            return keyring
        }
    }

    /// Reseals all secrets that were sealed with other keys.
    func reseal(_ keyring: VaultKeyring) async throws -> Progress {
        let counts = try await database.reseal(with: keyring)
        return Progress(
            currentID: keyring.current.id, resealed: counts.resealed, damaged: counts.damaged, lost: counts.lost)
    }

    /// Removes from the file the former keys that no sealed value needs.
    func dropUnused(_ progress: inout Progress) async throws {
        let (dropped, remaining) = try await database.write { [files] transaction in
            let present = try files.keys.read()
            // Before a key is removed, no process may still be sealing with it.
            try files.publish(present.current)
            let counts = try transaction.vault.sealedCounts(now: .now())
            var (kept, dropped, remaining): ([VaultKey], [String], Int) = ([], [], 0)
            for key in present.former {
                // A damaged secret needs no key.
                let opening = Vault(keyring: VaultKeyring(current: key))
                let secrets = try transaction.vault.secrets(sealedWith: key.id).count { !opening.isDamaged($0) }
                let needed = secrets + (counts.first { $0.keyID == key.id }?.passing ?? 0)
                remaining += needed
                if needed > 0 { kept.append(key) } else { dropped.append(key.id) }
            }
            if !dropped.isEmpty { try files.keys.replace(with: VaultKeyring(current: present.current, former: kept)) }
            return (dropped, remaining)
        }
        progress.dropped = dropped
        progress.remaining = remaining
    }
}
