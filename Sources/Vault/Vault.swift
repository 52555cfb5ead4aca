import Crypto
import Foundation
import Model
import Storage

/// Seals and opens secrets, each bound to its ``SecretName``.
package struct Vault: Sendable {
    package let keyring: VaultKeyring

    package init(keyring: VaultKeyring) {
        self.keyring = keyring
    }

    package func seal(_ secret: Secret, as name: SecretName) throws -> SealedSecret {
        try keyring.current.publicKey.seal(secret, as: name)
    }

    /// Opens a sealed secret.
    ///
    /// - Throws: ``VaultError/unknownKey(id:)``, ``VaultError/doesNotOpen``.
    package func open(_ sealed: SealedSecret, as name: SecretName) throws(VaultError) -> Secret {
        guard let key = keyring.key(id: sealed.keyID) else { throw .unknownKey(id: sealed.keyID) }
        guard let data = key.open(sealed, as: name), let text = String(validating: data, as: UTF8.self) else {
            throw .doesNotOpen
        }
        return Secret(text)
    }

    /// The last four characters of a secret, by which people recognize it; empty for fewer than twelve characters.
    static func hint(of text: String) -> String {
        text.count >= 12 ? String(text.suffix(4)) : ""
    }
}

extension VaultKey {
    /// `nil` for a value that was modified, or sealed under another name.
    fileprivate func open(_ sealed: SealedSecret, as name: SecretName) -> Data? {
        let encapsulated = Data(sealed.bytes.prefix(VaultPublicKey.encapsulatedBytes))
        guard
            var recipient = try? HPKE.Recipient(
                privateKey: privateKey, ciphersuite: VaultPublicKey.ciphersuite, info: publicKey.info,
                encapsulatedKey: encapsulated)
        else { return nil }
        return try? recipient.open(
            Data(sealed.bytes.dropFirst(VaultPublicKey.encapsulatedBytes)), authenticating: Data(name.associatedData))
    }
}
