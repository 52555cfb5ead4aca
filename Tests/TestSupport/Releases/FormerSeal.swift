import Crypto
import Foundation
import Model

/// A sealed value in the format of releases up to schema 15, implemented from its description without the vault's code:
/// AES-256-GCM with the vault's key itself, a random nonce before ciphertext and tag, and the name as associated data.
package struct FormerSeal: Sendable {
    package let keyID: String
    package let bytes: [UInt8]

    /// - Parameter key: the 32 bytes of a line of the key file.
    package init(_ text: String, key: [UInt8], userID: String, provider: String, field: String) throws {
        let key = SymmetricKey(data: key)
        let id = HMAC<SHA256>.authenticationCode(for: Data("backline vault key id".utf8), using: key).prefix(8)
        keyID = id.hexadecimal
        let name = [userID, provider, field].map { "\($0.utf8.count):\($0)" }.joined()
        let box = try AES.GCM.seal(Data(text.utf8), using: key, authenticating: Data(name.utf8))
        bytes = Array(box.nonce) + Array(box.ciphertext) + Array(box.tag)
    }
}
