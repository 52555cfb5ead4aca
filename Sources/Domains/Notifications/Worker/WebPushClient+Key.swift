import Notifications
import Push
import PushServices
import Storage
import Vault
import Workers

extension WebPushClient? {
    /// The sender with the key of the database.
    ///
    /// - Returns: `nil` while there is no key, or no contact, or where the private key does not open, which `backline
    ///   doctor` reports.
    static func opened(
        _ provider: PushProvider, _ vault: CurrentVault, _ database: Database
    ) async throws -> WebPushClient? {
        let stored = try await database.read { reader in
            (key: try reader.notifications.webPushKey(), sealed: try reader.vault.installationSecret(.webPushKey))
        }
        guard let key = stored.key, let sealed = stored.sealed, let secret = try? vault.open(sealed, as: .webPushKey),
            let keys = try? VAPIDKeyPair(secret: secret), keys.publicKey == key
        else { return nil }
        return provider.webPush(keys: keys)
    }
}
