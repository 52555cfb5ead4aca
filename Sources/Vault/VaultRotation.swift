import Contracts
import Model
import Storage

/// Puts a new key in the place of the vault's, while everything runs.
///
/// The new key goes into the file first, before the old one. Then every secret is sealed anew, and the former keys
/// leave the file when nothing is sealed with them any more. Whatever is interrupted goes on with the next call, which
/// makes no further key.
///
/// The file changes in write transactions alone, and ``CurrentVault/seal(_:as:in:)`` looks at it in one. Since there
/// is one such transaction at a time in all processes, nothing is sealed with a former key once it is one, and nothing
/// needs a key that leaves.
package struct VaultRotation: Sendable {
    /// Secrets in one transaction, so that nobody waits for it.
    static let batch = 100

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

    private let keyFile: VaultKeyFile
    private let database: Database

    package init(keyFile: VaultKeyFile, database: Database) {
        self.keyFile = keyFile
        self.database = database
    }

    /// All of it, from where it was interrupted if it was.
    ///
    /// - Throws: ``VaultKeyFileError``, ``StorageError``.
    package func run() async throws -> Progress {
        let keyring = try await begin()
        var progress = try await reseal(keyring)
        try await dropUnused(&progress)
        return progress
    }

    /// Makes a new key, unless a rotation that did not come to its end has made one.
    ///
    /// - Throws: ``VaultKeyFileError``, ``StorageError``.
    package func begin() async throws -> VaultKeyring {
        try await database.write { [keyFile] _ in
            let present = try keyFile.read()
            guard present.former.isEmpty else { return present }
            let next = VaultKeyring(current: .random(), former: [present.current])
            try keyFile.replace(with: next)
            return next
        }
    }

    /// Seals everything anew that a former key sealed.
    func reseal(_ keyring: VaultKeyring) async throws -> Progress {
        let vault = Vault(keyring: keyring)
        var progress = Progress(currentID: keyring.current.id)
        var last: StoredSecret?
        while true {
            let after = last
            let found = try await database.read {
                try $0.vault.secrets(notSealedWith: keyring.current.id, after: after, limit: Self.batch)
            }
            guard let end = found.last else { return progress }
            last = end
            var resealed: [(StoredSecret, SealedSecret)] = []
            for stored in found {
                guard let name = SecretName(stored) else { continue }
                do throws(VaultError) {
                    let secret = try vault.open(stored.secret, as: name)
                    if let sealed = try? vault.seal(secret, as: name) { resealed.append((stored, sealed)) }
                } catch {
                    if case .unknownKey = error { progress.lost += 1 } else { progress.damaged += 1 }
                }
            }
            progress.resealed += try await database.write { [resealed] transaction in
                try resealed.reduce(0) { $0 + (try transaction.vault.reseal($1.0, as: $1.1) ? 1 : 0) }
            }
        }
    }

    /// Takes the former keys out of the file that nothing needs; the others stay.
    func dropUnused(_ progress: inout Progress) async throws {
        let (dropped, remaining) = try await database.write { [keyFile] transaction in
            let present = try keyFile.read()
            let passing = try transaction.vault.sealedCounts(now: .now())
            var (kept, dropped, remaining): ([VaultKey], [String], Int) = ([], [], 0)
            for key in present.former {
                // No key helps what does not open with its own.
                let opening = Vault(keyring: VaultKeyring(current: key))
                let secrets = try transaction.vault.secrets(sealedWith: key.id).count { !opening.isDamaged($0) }
                let needed = secrets + (passing.first { $0.keyID == key.id }?.passing ?? 0)
                remaining += needed
                if needed > 0 { kept.append(key) } else { dropped.append(key.id) }
            }
            if !dropped.isEmpty { try keyFile.replace(with: VaultKeyring(current: present.current, former: kept)) }
            return (dropped, remaining)
        }
        progress.dropped = dropped
        progress.remaining = remaining
    }
}

extension Vault {
    /// Whether a secret was changed, so that it does not open though its key is there.
    package func isDamaged(_ stored: StoredSecret) -> Bool {
        guard let name = SecretName(stored) else { return false }
        do throws(VaultError) { _ = try open(stored.secret, as: name) } catch { return error == .doesNotOpen }
        return false
    }
}

extension SecretName {
    /// `nil` for a provider of which this version knows nothing.
    init?(_ stored: StoredSecret) {
        guard let provider = CredentialProvider(rawValue: stored.provider) else { return nil }
        self.init(userID: stored.userID, provider: provider, field: stored.field)
    }
}
