import Crypto
import Foundation
import Model
import Storage

/// Seals secrets for the database and opens them again: AES-256-GCM (NIST SP 800-38D) with a random nonce,
/// bound to what they are by ``SecretName``.
package struct Vault: Sendable {
    package let keyring: VaultKeyring

    package init(keyring: VaultKeyring) {
        self.keyring = keyring
    }

    package func seal(_ secret: Secret, as name: SecretName) throws -> SealedSecret {
        let text = secret.reveal()
        let box = try AES.GCM.seal(
            Data(text.utf8), using: keyring.current.key, authenticating: name.associatedData)
        // Present, since the nonce has its standard length.
        guard let combined = box.combined else { throw VaultError.doesNotOpen }
        return SealedSecret(keyID: keyring.current.id, bytes: Array(combined), hint: Self.hint(of: text))
    }

    /// - Throws: ``VaultError``.
    package func open(_ sealed: SealedSecret, as name: SecretName) throws(VaultError) -> Secret {
        guard let key = keyring.key(id: sealed.keyID) else { throw .unknownKey(id: sealed.keyID) }
        guard let box = try? AES.GCM.SealedBox(combined: sealed.bytes),
            let data = try? AES.GCM.open(box, using: key.key, authenticating: name.associatedData),
            let text = String(validating: data, as: UTF8.self)
        else { throw .doesNotOpen }
        return Secret(text)
    }

    /// The last four characters, by which people know a key again; of a short one nothing.
    static func hint(of text: String) -> String {
        text.count >= 12 ? String(text.suffix(4)) : ""
    }
}
