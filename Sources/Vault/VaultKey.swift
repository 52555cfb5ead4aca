import Crypto
import Foundation
import Model

/// A master key: 256 secret bits, from which the pair of keys follows whose public half seals and whose private half
/// opens.
package struct VaultKey: Sendable, Equatable {
    /// Seals what this key opens.
    package let publicKey: VaultPublicKey
    /// 16 hexadecimal digits by which values name the key that releases up to schema 15 sealed with:
    /// the bits themselves, for AES-256-GCM.
    package let formerID: String
    let secret: SymmetricKey
    let privateKey: Curve25519.KeyAgreement.PrivateKey

    /// By which sealed values name it; nobody learns the key from it.
    package var id: String { publicKey.id }

    /// All by which sealed values may name it.
    package var ids: [String] { [id, formerID] }

    package static func random() -> VaultKey {
        while true {
            let bytes = SymmetricKey(size: .bits256).withUnsafeBytes { Array($0) }
            if let key = VaultKey(bytes: bytes) { return key }
        }
    }

    /// `nil` unless `bytes` are 32.
    package init?(bytes: [UInt8]) {
        guard bytes.count == 32 else { return nil }
        secret = SymmetricKey(data: bytes)
        let scalar = HKDF<SHA256>.deriveKey(
            inputKeyMaterial: secret, info: Data("backline vault x25519".utf8), outputByteCount: 32)
        guard let privateKey = try? Curve25519.KeyAgreement.PrivateKey(rawRepresentation: scalar) else { return nil }
        self.privateKey = privateKey
        publicKey = VaultPublicKey(privateKey.publicKey)
        let code = HMAC<SHA256>.authenticationCode(for: Data("backline vault key id".utf8), using: secret)
        formerID = Array(code.prefix(8)).hexadecimal
    }

    /// For the key file alone.
    package var bytes: [UInt8] { secret.withUnsafeBytes { Array($0) } }

    package static func == (one: VaultKey, other: VaultKey) -> Bool { one.secret == other.secret }
}

/// The keys that open secrets: one that also seals new ones, and those before it until nothing needs them.
package struct VaultKeyring: Sendable, Equatable {
    package var current: VaultKey
    package var former: [VaultKey]

    package init(current: VaultKey, former: [VaultKey] = []) {
        self.current = current
        self.former = former
    }

    package var keys: [VaultKey] { [current] + former }

    /// - Parameter id: of a key, also its ``VaultKey/formerID``.
    package func key(id: String) -> VaultKey? {
        keys.first { $0.ids.contains(id) }
    }
}
