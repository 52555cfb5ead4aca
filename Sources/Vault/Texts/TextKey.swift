import Crypto
import Foundation
import Model
import Platform

/// A key for private texts: 256 secret bits. Whoever has it seals and opens, unlike with a ``VaultKey``: the gateway
/// shows these texts to people, while it never needs their secrets for services.
package struct TextKey: Sendable, Equatable {
    /// 16 hexadecimal digits, derived from the key, which they do not reveal.
    package let id: String
    private let secret: SymmetricKey

    /// `nil` unless there are 32 bytes.
    package init?(bytes: [UInt8]) {
        guard bytes.count == 32 else { return nil }
        secret = SymmetricKey(data: bytes)
        id = Array(SHA256.hash(data: Data("backline text key".utf8) + bytes).prefix(8)).hexadecimal
    }

    package static func random() -> TextKey {
        guard let key = TextKey(bytes: SymmetricKey(size: .bits256).withUnsafeBytes { Array($0) }) else {
            preconditionFailure("256 bits are not 32 bytes")
        }
        return key
    }

    /// The secret bits, only for the key file.
    var bytes: [UInt8] { secret.withUnsafeBytes { Array($0) } }

    /// Seals a text with AES-256-GCM under a random nonce.
    ///
    /// - Throws: `CryptoKitError`; this is not known to happen.
    package func seal(_ text: String, as name: TextName) throws -> SealedText {
        let box = try AES.GCM.seal(Data(text.utf8), using: secret, authenticating: Data(name.associatedData))
        return SealedText(keyID: id, bytes: Array(box.nonce) + Array(box.ciphertext) + Array(box.tag))
    }

    /// `nil` for a text that was modified, or sealed under another name or key.
    package func open(_ sealed: SealedText, as name: TextName) -> String? {
        guard let box = try? AES.GCM.SealedBox(combined: Data(sealed.bytes)),
            let data = try? AES.GCM.open(box, using: secret, authenticating: Data(name.associatedData))
        else { return nil }
        return String(validating: data, as: UTF8.self)
    }

    package static func == (one: TextKey, other: TextKey) -> Bool { one.secret == other.secret }
}

/// The place of a private text. A sealed text is bound to it, and can be opened in no other one.
package struct TextName: Sendable, Hashable {
    package var table: String
    /// The id of the row.
    package var row: String
    /// The id of the person who wrote the text, as the row has it when the text is sealed.
    package var author: String

    package init(table: String, row: String, author: String) {
        self.table = table
        self.row = row
        self.author = author
    }

    /// Each part is prefixed with its length, so that no two names have the same data.
    var associatedData: [UInt8] {
        ["backline text 1", table, row, author].flatMap { part in
            let bytes = Array(part.utf8)
            return Array("\(bytes.count):".utf8) + bytes
        }
    }
}

/// A private text of the database.
package struct SealedText: Sendable, Equatable {
    /// The id of the key that opens it.
    package var keyID: String
    /// The nonce of 12 bytes, the ciphertext and the tag of 16 bytes.
    package var bytes: [UInt8]

    package init(keyID: String, bytes: [UInt8]) {
        self.keyID = keyID
        self.bytes = bytes
    }
}
