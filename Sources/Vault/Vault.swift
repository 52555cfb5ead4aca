import Crypto
import Foundation
import Model
import Storage

/// Seals secrets for the database and opens them again, bound to what they are by ``SecretName``.
package struct Vault: Sendable {
    package let keyring: VaultKeyring

    package init(keyring: VaultKeyring) {
        self.keyring = keyring
    }

    package func seal(_ secret: Secret, as name: SecretName) throws -> SealedSecret {
        try keyring.current.publicKey.seal(secret, as: name)
    }

    /// - Throws: ``VaultError``.
    package func open(_ sealed: SealedSecret, as name: SecretName) throws(VaultError) -> Secret {
        guard let key = keyring.key(id: sealed.keyID) else { throw .unknownKey(id: sealed.keyID) }
        guard let data = key.open(sealed, as: name), let text = String(validating: data, as: UTF8.self) else {
            throw .doesNotOpen
        }
        return Secret(text)
    }

    /// The last four characters, by which people know a key again; of a short one nothing.
    static func hint(of text: String) -> String {
        text.count >= 12 ? String(text.suffix(4)) : ""
    }
}

extension VaultKey {
    /// `nil` for what was changed, or belongs somewhere else.
    fileprivate func open(_ sealed: SealedSecret, as name: SecretName) -> Data? {
        if sealed.keyID == formerID {
            // As releases up to schema 15 sealed: AES-256-GCM (NIST SP 800-38D) with a random nonce.
            guard let box = try? AES.GCM.SealedBox(combined: sealed.bytes) else { return nil }
            return try? AES.GCM.open(box, using: secret, authenticating: name.associatedData)
        }
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
