import Contracts
import Model
import Storage

/// Puts a new key in the place of the vault's, while everything runs.
///
/// The new key goes into the file first, before the old one, and its public half into the public key file. Then every
/// secret is sealed anew, and the former keys leave the file when nothing is sealed with them any more. Whatever is
/// interrupted goes on with the next call, which makes no further key.
///
/// The files change in write transactions alone, and a ``SecretSealer`` looks at them in one. Since there is one such
/// transaction at a time in all processes, nothing is sealed with a former key once both files are written, and nothing
/// needs a key that leaves.
package struct VaultRotation: Sendable {
    package struct Progress: Sendable, Equatable {
        /// The key that seals.
        package var currentID: String
        package var resealed = 0
        /// Secrets that do not open with the key that sealed them: they were changed. They stay as they are.
        package var damaged = 0
        /// Secrets whose key the file does not hold. They stay as they are.
        package var lost = 0
        /// Keys that left the file.
        package var dropped: [String] = []
        /// Sealed values that still need a former key: sign-ins and keys under way, which live for ten minutes at most.
        package var remaining = 0
    }

    private let files: VaultFiles
    private let database: Database

    package init(files: VaultFiles, database: Database) {
        self.files = files
        self.database = database
    }

    /// All of it, from where it was interrupted if it was.
    ///
    /// - Throws: ``VaultKeyFileError``, ``VaultPublicKeyFileError``, ``StorageError``.
    package func run() async throws -> Progress {
        let keyring = try await begin(publishing: true)
        var progress = try await reseal(keyring)
        try await dropUnused(&progress)
        return progress
    }

    /// Makes a new key, unless a rotation that did not come to its end has made one.
    ///
    /// - Parameter publishing: whether everybody is to seal with it from now on.
    /// - Throws: ``VaultKeyFileError``, ``VaultPublicKeyFileError``, ``StorageError``.
    package func begin(publishing: Bool) async throws -> VaultKeyring {
        try await database.write { [files] _ in
            _ = try files.takeOver()
            var keyring = try files.keys.read()
            if keyring.former.isEmpty {
                keyring = VaultKeyring(current: .random(), former: [keyring.current])
                try files.keys.replace(with: keyring)
            }
            if publishing { try files.publish(keyring.current) }
            return keyring
        }
    }

    /// Seals everything anew that another key sealed, or the present one in the way of releases before.
    func reseal(_ keyring: VaultKeyring) async throws -> Progress {
        let counts = try await database.reseal(with: keyring) { _ in keyring.current.publicKey }
        return Progress(
            currentID: keyring.current.id, resealed: counts.resealed, damaged: counts.damaged, lost: counts.lost)
    }

    /// Takes the former keys out of the file that nothing needs; the others stay.
    func dropUnused(_ progress: inout Progress) async throws {
        let (dropped, remaining) = try await database.write { [files] transaction in
            let present = try files.keys.read()
            // Nobody may seal with a key any more that leaves.
            try files.publish(present.current)
            let counts = try transaction.vault.sealedCounts(now: .now())
            func passing(_ ids: [String]) -> Int { counts.reduce(0) { $0 + (ids.contains($1.keyID) ? $1.passing : 0) } }
            var (kept, dropped, remaining): ([VaultKey], [String], Int) = ([], [], 0)
            for key in present.former {
                // No key helps what does not open with its own.
                let opening = Vault(keyring: VaultKeyring(current: key))
                let secrets = try key.ids.reduce(0) { sum, id in
                    try sum + transaction.vault.secrets(sealedWith: id).count { !opening.isDamaged($0) }
                }
                let needed = secrets + passing(key.ids)
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
