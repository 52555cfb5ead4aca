import Crypto
import Foundation
import Model
import Platform

/// The public half of a vault key. It seals secrets but cannot open them.
///
/// A seal is HPKE (RFC 9180) in base mode with X25519, HKDF-SHA256 and AES-256-GCM: the encapsulated key, the
/// ciphertext and the tag. Anybody with the public key can make one, so a seal does not prove who made it.
package struct VaultPublicKey: Sendable, Equatable {
    /// 16 hexadecimal digits, derived from the key.
    package let id: String
    let key: Curve25519.KeyAgreement.PublicKey

    static let ciphersuite = HPKE.Ciphersuite(kem: .Curve25519_HKDF_SHA256, kdf: .HKDF_SHA256, aead: .AES_GCM_256)
    /// The length of the encapsulated key in bytes.
    static let encapsulatedBytes = 32

    /// The `info` of HPKE: the format and the key.
    var info: Data { Data("backline vault 1 \(id)".utf8) }

    /// `nil` unless there are 32 bytes.
    package init?(bytes: [UInt8]) {
        guard let key = try? Curve25519.KeyAgreement.PublicKey(rawRepresentation: bytes) else { return nil }
        self.init(key)
    }

    init(_ key: Curve25519.KeyAgreement.PublicKey) {
        self.key = key
        let digest = SHA256.hash(data: Data("backline vault public key".utf8) + key.rawRepresentation)
        id = Array(digest.prefix(8)).hexadecimal
    }

    package var bytes: [UInt8] { Array(key.rawRepresentation) }

    package static func == (one: VaultPublicKey, other: VaultPublicKey) -> Bool { one.bytes == other.bytes }

    /// - Throws: `CryptoKitError`; this is not known to happen for a key that could be read.
    package func seal(_ secret: Secret, as name: SecretName) throws -> SealedSecret {
        let text = secret.reveal()
        var sender = try HPKE.Sender(recipientKey: key, ciphersuite: Self.ciphersuite, info: info)
        let sealed = try sender.seal(Data(text.utf8), authenticating: Data(name.associatedData))
        return SealedSecret(keyID: id, bytes: Array(sender.encapsulatedKey + sealed), hint: Vault.hint(of: text))
    }
}
