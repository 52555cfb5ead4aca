import Crypto
import Foundation
import Model
import Platform

/// A master key: 256 secret bits. An X25519 key pair is derived from them: the public half seals, the private half
/// opens.
package struct VaultKey: Sendable, Equatable {
    /// The public half, which seals.
    package let publicKey: VaultPublicKey
    let secret: SymmetricKey
    let privateKey: Curve25519.KeyAgreement.PrivateKey

    /// The key's id in sealed values. It does not reveal the key.
    package var id: String { publicKey.id }

    package static func random() -> VaultKey {
        while true {
            let bytes = SymmetricKey(size: .bits256).withUnsafeBytes { Array($0) }
            if let key = VaultKey(bytes: bytes) { return key }
        }
    }

    /// `nil` unless there are 32 bytes.
    package init?(bytes: [UInt8]) {
        guard bytes.count == 32 else { return nil }
        secret = SymmetricKey(data: bytes)
        let scalar = HKDF<SHA256>.deriveKey(
            inputKeyMaterial: secret, info: Data("backline vault x25519".utf8), outputByteCount: 32)
        guard let privateKey = try? Curve25519.KeyAgreement.PrivateKey(rawRepresentation: scalar) else { return nil }
        self.privateKey = privateKey
        publicKey = VaultPublicKey(privateKey.publicKey)
    }

    /// The secret bits, only for the key file.
    package var bytes: [UInt8] { secret.withUnsafeBytes { Array($0) } }

    package static func == (one: VaultKey, other: VaultKey) -> Bool { one.secret == other.secret }
}

/// The keys that open secrets: the current one, which also seals, and former ones that are still needed.
package struct VaultKeyring: Sendable, Equatable {
    package var current: VaultKey
    package var former: [VaultKey]

    package init(current: VaultKey, former: [VaultKey] = []) {
        self.current = current
        self.former = former
    }

    package var keys: [VaultKey] { [current] + former }

    /// The key with an id.
    package func key(id: String) -> VaultKey? {
        keys.first { $0.id == id }
    }
}
