import Contracts
import Model
import Storage

/// Puts a new key in the place of the vault's, while everything runs.
///
/// The new key goes into the file first, before the old one, and running processes follow the file: from then on
/// everything is sealed with it. Then every secret is sealed anew, and when nothing needs the former keys any more they
/// leave the file. Whatever is interrupted goes on with the next call, which makes no further key.
package struct VaultRotation: Sendable {
    /// Secrets in one transaction, so that nobody waits for it.
    static let batch = 100

    package struct Progress: Sendable, Equatable {
        /// The key that seals.
        package var currentID: String
        package var resealed = 0
        /// Secrets that no key of the file opens; they stay as they are.
        package var unopened = 0
        /// Sealed values that still need a former key.
        package var remaining = 0
        package var dropped: [String] = []
    }

    private let keyFile: VaultKeyFile
    private let database: Database

    package init(keyFile: VaultKeyFile, database: Database) {
        self.keyFile = keyFile
        self.database = database
    }

    /// Makes a new key, unless a rotation that was interrupted has made one.
    ///
    /// - Throws: ``VaultKeyFileError``.
    package func begin() throws(VaultKeyFileError) -> VaultKeyring {
        let present = try keyFile.read()
        guard present.former.isEmpty else { return present }
        let next = VaultKeyring(current: .random(), former: [present.current])
        try keyFile.replace(with: next)
        return next
    }

    /// Seals everything anew that a former key sealed.
    ///
    /// - Parameter onProgress: is told after each batch.
    package func reseal(
        _ keyring: VaultKeyring, onProgress: (Progress) -> Void = { _ in }
    ) async throws -> Progress {
        let vault = Vault(keyring: keyring)
        var progress = Progress(currentID: keyring.current.id)
        var last: StoredSecret?
        while true {
            let after = last
            let found = try await database.read {
                try $0.secrets(notSealedWith: keyring.current.id, after: after, limit: Self.batch)
            }
            guard let end = found.last else { break }
            last = end
            var resealed: [(StoredSecret, SealedSecret)] = []
            for stored in found {
                guard let provider = CredentialProvider(rawValue: stored.provider) else {
                    progress.unopened += 1
                    continue
                }
                let name = SecretName(userID: stored.userID, provider: provider, field: stored.field)
                do {
                    resealed.append((stored, try vault.seal(try vault.open(stored.secret, as: name), as: name)))
                } catch is VaultError {
                    progress.unopened += 1
                }
            }
            try await database.write { [resealed] transaction in
                for (stored, secret) in resealed { try transaction.reseal(stored, as: secret) }
            }
            progress.resealed += resealed.count
            onProgress(progress)
        }
        return progress
    }

    /// Takes the former keys out of the file that nothing needs; the others stay.
    package func dropUnused(_ keyring: VaultKeyring) async throws -> (dropped: [String], remaining: Int) {
        let counts = try await database.read { try $0.sealedCounts(now: .now()) }
        let needed = Set(counts.map(\.keyID))
        let former = keyring.former.filter { needed.contains($0.id) }
        let dropped = keyring.former.filter { !needed.contains($0.id) }.map(\.id)
        if !dropped.isEmpty { try keyFile.replace(with: VaultKeyring(current: keyring.current, former: former)) }
        let ids = Set(former.map(\.id))
        return (dropped, counts.filter { ids.contains($0.keyID) }.reduce(0) { $0 + $1.secrets + $1.passing })
    }
}
