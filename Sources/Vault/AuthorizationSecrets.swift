import Crypto
import Foundation
import Model
import Platform

/// The random values of an OAuth attempt, and their public forms.
package enum AuthorizationSecrets {
    /// 256 random bits as 43 characters of base64url: a state, or a PKCE verifier (RFC 7636, section 4.1).
    package static func random() -> Secret {
        Secret(base64URL(SymmetricKey(size: .bits256).withUnsafeBytes { Data($0) }))
    }

    /// The SHA-256 of a state in hexadecimal, under which the database stores it.
    package static func hash(ofState state: Secret) -> String {
        SHA256.hash(data: Data(state.reveal().utf8)).hexadecimal
    }

    /// The `S256` challenge of a verifier (RFC 7636, section 4.2), without padding.
    package static func challenge(of verifier: Secret) -> String {
        base64URL(Data(SHA256.hash(data: Data(verifier.reveal().utf8))))
    }

    private static func base64URL(_ data: Data) -> String {
        data.base64EncodedString().replacingOccurrences(of: "+", with: "-").replacingOccurrences(of: "/", with: "_")
            .replacingOccurrences(of: "=", with: "")
    }
}
