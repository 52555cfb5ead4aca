import Crypto
import CryptoExtras
import Foundation
import Platform

/// The keys that sign ID tokens, as a value.
struct GoogleKeys: Sendable {
    struct Key: Sendable {
        /// The key's id: 40 hexadecimal digits, like those of Google's keys.
        var id: String
        var key: _RSA.Signing.PrivateKey

        init() throws {
            id = String((0..<40).map { _ in [Character].hexadecimal[Int.random(in: 0..<16)] })
            key = try _RSA.Signing.PrivateKey(keySize: .bits2048)
        }

        func sign(_ bytes: Data) throws -> Data {
            try key.signature(for: SHA256.hash(data: bytes), padding: .insecurePKCS1v1_5).rawRepresentation
        }
    }

    /// The keys of the key set, newest first.
    private(set) var published: [Key]
    /// The key that signs.
    private(set) var current: Key

    init() throws {
        current = try Key()
        published = [current]
    }

    /// Makes a new key sign. The key set retains the previous one and drops older ones.
    ///
    /// - Parameter isPublished: `false` for a key that signs before the key set names it.
    mutating func rotate(to key: Key, isPublished: Bool) {
        current = key
        if isPublished { published = [key] + published.prefix(1) }
    }

    /// Publishes a signing key that was not published until now.
    mutating func publishCurrent() {
        guard !published.contains(where: { $0.id == current.id }) else { return }
        published = [current] + published.prefix(1)
    }
}
