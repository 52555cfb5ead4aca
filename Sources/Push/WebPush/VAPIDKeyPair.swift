import Crypto
import Foundation
import Model
import Platform

/// The keys by which push services recognize an installation (VAPID, RFC 8292).
///
/// A browser's subscription names the public key, and its push service accepts messages only with signatures of the
/// private one. New keys therefore end all subscriptions. They only sign: each message is encrypted with a key of its
/// own.
package struct VAPIDKeyPair: Sendable {
    private let privateKey: P256.Signing.PrivateKey

    /// A new pair.
    package init() {
        privateKey = P256.Signing.PrivateKey()
    }

    /// The private key as a text of 43 letters, for a vault.
    package var secret: Secret { Secret(Base64URL.text(of: privateKey.rawRepresentation)) }

    /// Reads what ``secret`` has written.
    ///
    /// - Throws: ``VAPIDKeyError``.
    package init(secret: Secret) throws(VAPIDKeyError) {
        guard let bytes = Base64URL.bytes(of: secret.reveal()),
            let key = try? P256.Signing.PrivateKey(rawRepresentation: bytes)
        else { throw VAPIDKeyError() }
        privateKey = key
    }

    /// The public key as browsers take it (`applicationServerKey`): 65 bytes in base64url, 87 letters.
    package var publicKey: String { Base64URL.text(of: privateKey.publicKey.x963Representation) }

    /// A signature (ES256): r and s, 64 bytes.
    func signature(of text: String) throws -> [UInt8] {
        Array(try privateKey.signature(for: Data(text.utf8)).rawRepresentation)
    }
}

/// A stored private key that is none.
package struct VAPIDKeyError: Error, Equatable, CustomStringConvertible {
    package var description: String {
        "The stored key for Web Push is not a private key of P-256: it is damaged, or was sealed by something else."
    }
}
