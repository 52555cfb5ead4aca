import Contracts
import Model
import Storage

/// What became of secrets that were to be sealed anew.
package struct ResealCounts: Sendable, Equatable {
    package var resealed = 0
    /// Secrets that do not open with the key that sealed them: they were changed.
    package var damaged = 0
    /// Secrets whose key is not there.
    package var lost = 0
}

extension Database {
    /// Secrets in one transaction, so that nobody waits for it.
    static let resealBatch = 100

    /// Seals for the public halves of their own keys what releases up to schema 15 sealed with the keys. What lives for
    /// minutes alone is left to its end. Whatever is interrupted goes on with the next call, and until then everything
    /// opens in either form.
    ///
    /// - Throws: what the database throws.
    package func resealFormer(with keyring: VaultKeyring) async throws -> ResealCounts {
        try await reseal(with: keyring) { keyID in
            keyring.keys.first { $0.formerID == keyID }?.publicKey
        }
    }

    /// - Parameter target: what a secret of a key's id is sealed for; `nil` leaves it as it is. It is asked for what
    ///   the current key has not sealed.
    func reseal(
        with keyring: VaultKeyring, for target: @Sendable (String) -> VaultPublicKey?
    ) async throws -> ResealCounts {
        let vault = Vault(keyring: keyring)
        var counts = ResealCounts()
        var last: StoredSecret?
        while true {
            let after = last
            let found = try await read {
                try $0.vault.secrets(notSealedWith: keyring.current.id, after: after, limit: Self.resealBatch)
            }
            guard let end = found.last else { return counts }
            last = end
            var resealed: [(StoredSecret, SealedSecret)] = []
            for stored in found {
                guard let key = target(stored.secret.keyID), let name = SecretName(stored) else { continue }
                do throws(VaultError) {
                    let secret = try vault.open(stored.secret, as: name)
                    if let sealed = try? key.seal(secret, as: name) { resealed.append((stored, sealed)) }
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
