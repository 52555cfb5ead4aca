import Crypto
import Foundation
import Model

/// A bearer token of a program or a page: 256 random bits, shown once and stored as its hash.
package struct AccessToken: Sendable {
    /// `bl_` and 43 characters of base64url.
    package let secret: Secret

    package static func random() -> AccessToken {
        let bits = SymmetricKey(size: .bits256).withUnsafeBytes { Data($0) }
        let text = bits.base64EncodedString()
            .replacingOccurrences(of: "+", with: "-").replacingOccurrences(of: "/", with: "_")
            .replacingOccurrences(of: "=", with: "")
        return AccessToken(secret: Secret("bl_" + text))
    }

    package init(secret: Secret) {
        self.secret = secret
    }

    /// SHA-256 in hexadecimal. The token is random, so that a slow password hash would add nothing.
    package var hash: String {
        SHA256.hash(data: Data(secret.reveal().utf8)).hexadecimal
    }
}
