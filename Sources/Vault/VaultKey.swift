import Crypto
import Foundation
import Model

/// A master key: 256 bits with the id by which sealed values name it.
package struct VaultKey: Sendable, Equatable {
    /// 16 hexadecimal digits, derived from the key, from which they tell nothing else.
    package let id: String
    let key: SymmetricKey

    package static func random() -> VaultKey {
        VaultKey(SymmetricKey(size: .bits256))
    }

    /// `nil` unless `bytes` are 32.
    package init?(bytes: [UInt8]) {
        guard bytes.count == 32 else { return nil }
        self.init(SymmetricKey(data: bytes))
    }

    private init(_ key: SymmetricKey) {
        self.key = key
        let code = HMAC<SHA256>.authenticationCode(for: Data("backline vault key id".utf8), using: key)
        id = Array(code.prefix(8)).hexadecimal
    }

    /// For the key file alone.
    package var bytes: [UInt8] { key.withUnsafeBytes { Array($0) } }
}

/// The keys that open secrets: one that also seals new ones, and those before it until nothing needs them.
package struct VaultKeyring: Sendable, Equatable {
    package var current: VaultKey
    package var former: [VaultKey]

    package init(current: VaultKey, former: [VaultKey] = []) {
        self.current = current
        self.former = former
    }

    package func key(id: String) -> VaultKey? {
        current.id == id ? current : former.first { $0.id == id }
    }
}
