import Model
import Storage
import Vault

extension SecretName {
    /// The private key for Web Push.
    package static let webPushKey = SecretName.ofInstallation(provider: .push, field: "webPushKey")
}

extension NotificationStore {
    /// The public key for Web Push; `nil` until a worker has made it.
    package func webPushKey() throws -> String? {
        try transaction.row("SELECT public_key FROM web_push_keys LIMIT 1")?["public_key"]
    }
}

extension NotificationStore where Access == WriteTransaction {
    /// Stores the keys for Web Push, unless there are some.
    ///
    /// - Returns: whether they were stored.
    /// - Throws: `VaultError`.
    package func storeWebPushKey(
        publicKey: String, privateKey: Secret, by vault: some SecretSealer, now: Timestamp
    ) throws -> Bool {
        guard try webPushKey() == nil else { return false }
        try transaction.vault.putInstallationSecret(privateKey, as: .webPushKey, by: vault, now: now)
        try transaction.run("INSERT INTO web_push_keys (public_key, made_at) VALUES (\(publicKey), \(now))")
        return true
    }

    /// Deletes the keys for Web Push, so that a worker makes others. It ends all subscriptions.
    package func deleteWebPushKey() throws {
        try transaction.run("DELETE FROM web_push_keys")
        try transaction.vault.deleteInstallationSecret(.webPushKey)
    }
}
