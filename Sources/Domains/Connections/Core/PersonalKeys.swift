import Model
import Storage
import Vault

/// The usable API keys of several people for one provider.
package struct PersonalKeys: Sendable {
    package struct Key: Sendable {
        package var userID: String
        package var secret: Secret
        /// Distinguishes this key from one that the person enters later.
        fileprivate var sealed: SealedSecret
    }

    private let provider: Provider
    private let database: Database
    private let vault: CurrentVault

    package init(provider: Provider, database: Database, vault: CurrentVault) {
        self.provider = provider
        self.database = database
        self.vault = vault
    }

    /// Reads and opens people's keys.
    ///
    /// - Parameters:
    ///   - users: the people's ids.
    ///   - onTrouble: called for each key that the vault cannot open; the key is left out.
    /// - Returns: the keys of people whose connection is usable, in the order of `users`; and the people whose key was
    ///   refused and not replaced.
    package func keys(
        of users: @escaping @Sendable (ReadTransaction) throws -> [String], onTrouble: (VaultError) -> Void
    ) async throws -> (keys: [Key], refused: [String]) {
        let now = Timestamp.now()
        let (sealed, refused) = try await database.read { [provider] reader in
            var (sealed, refused): ([(userID: String, secret: SealedSecret)], [String]) = ([], [])
            for userID in try users(reader) {
                guard let record = try reader.connections.record(userID: userID, provider: provider.rawValue) else {
                    continue
                }
                let state = try record.connectionState(at: now, clientID: nil)
                if state == .needsReconnect(.keyRefused) { refused.append(userID) }
                guard state.isUsable,
                    let secret = try reader.vault.sealedSecret(
                        userID: userID, provider: provider.rawValue, field: SecretField.apiKey)
                else { continue }
                sealed.append((userID, secret))
            }
            return (sealed, refused)
        }
        var keys: [Key] = []
        for (userID, secret) in sealed {
            let name = SecretName(userID: userID, provider: provider, field: SecretField.apiKey)
            do throws(VaultError) {
                keys.append(Key(userID: userID, secret: try vault.open(secret, as: name), sealed: secret))
            } catch {
                onTrouble(error)
            }
        }
        return (keys, refused)
    }

    /// Records that the provider refused a key, unless its owner has replaced it in the meantime.
    package func refused(_ key: Key) async throws {
        try await database.write { [provider] transaction in
            let present = try transaction.vault.sealedSecret(
                userID: key.userID, provider: provider.rawValue, field: SecretField.apiKey)
            guard present == key.sealed else { return }
            try transaction.connections.handle(.keyRefused, userID: key.userID, provider: provider, now: .now())
        }
    }
}
