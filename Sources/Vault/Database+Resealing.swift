import Model
import Storage

/// The result of resealing secrets.
package struct ResealCounts: Sendable, Equatable {
    package var resealed = 0
    /// Secrets that cannot be opened with the key that sealed them, because they were modified.
    package var damaged = 0
    /// Secrets whose key is missing.
    package var lost = 0
}

extension Database {
    /// The most secrets in one transaction, so that no writer waits long.
    static let resealBatch = 100

    /// Reseals with the current key the secrets that were sealed with other keys. Values that live only minutes are
    /// left to expire. An interrupted call is continued by the next one.
    ///
    /// - Throws: ``StorageError``, or `CancellationError` between two transactions.
    func reseal(with keyring: VaultKeyring) async throws -> ResealCounts {
        let vault = Vault(keyring: keyring)
        var counts = ResealCounts()
        var last: StoredSecret?
        while true {
            try Task.checkCancellation()
            let after = last
            let found = try await read {
                try $0.vault.secrets(notSealedWith: keyring.current.id, after: after, limit: Self.resealBatch)
            }
            guard let end = found.last else { return counts }
            last = end
            var resealed: [(StoredSecret, SealedSecret)] = []
            for stored in found {
                guard let name = SecretName(stored) else { continue }
                do throws(VaultError) {
                    let secret = try vault.open(stored.secret, as: name)
                    if let sealed = try? vault.seal(secret, as: name) { resealed.append((stored, sealed)) }
                } catch {
                    if case .unknownKey = error { counts.lost += 1 } else { counts.damaged += 1 }
                }
            }
            guard !resealed.isEmpty else { continue }
            counts.resealed += try await write { [resealed] transaction in
                try resealed.reduce(0) { $0 + (try transaction.vault.reseal($1.0, as: $1.1) ? 1 : 0) }
            }
        }
    }
}

extension Vault {
    /// Whether a secret cannot be opened although its key is present, because it was modified.
    package func isDamaged(_ stored: StoredSecret) -> Bool {
        guard let name = SecretName(stored) else { return false }
        do throws(VaultError) { _ = try open(stored.secret, as: name) } catch { return error == .doesNotOpen }
        return false
    }
}

extension SecretName {
    /// `nil` for a provider that this version does not know.
    init?(_ stored: StoredSecret) {
        guard let provider = Provider(rawValue: stored.provider) else { return nil }
        self.init(userID: stored.userID, provider: provider, field: stored.field)
    }
}
