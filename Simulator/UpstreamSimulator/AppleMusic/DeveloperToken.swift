import Crypto
import Foundation

/// A developer token, with Apple's rules for it.
struct DeveloperToken {
    /// The longest life of a token in seconds: six months according to Apple's documentation.
    static let longestLife = 15_777_000.0

    let jws: JWS

    /// Returns `nil` for a text that is not signed JSON at all.
    init?(_ text: String) {
        guard let jws = JWS(text) else { return nil }
        self.jws = jws
    }

    /// The sites whose pages may use the token; `nil` for a server's token.
    var origins: [String]? { jws.claims["origin"]?.array?.compactMap(\.string) }

    /// Whether a call with this `Origin` may use it.
    func admits(origin: String?) -> Bool {
        guard let origins else { return true }
        return origin.map(origins.contains) ?? false
    }

    /// Whether the API accepts the token at this time.
    func isGood(team: String, keyID: String, key: P256.Signing.PublicKey, at now: Date) -> Bool {
        guard jws.header["alg"]?.string == "ES256", jws.header["kid"]?.string == keyID,
            jws.claims["iss"]?.string == team, let issued = jws.claims["iat"]?.number,
            let expires = jws.claims["exp"]?.number
        else { return false }
        guard issued <= now.timeIntervalSince1970, expires > now.timeIntervalSince1970,
            expires - issued <= Self.longestLife
        else { return false }
        // The signature is r followed by s; a DER signature has another length and is refused.
        guard let signature = try? P256.Signing.ECDSASignature(rawRepresentation: jws.signature) else { return false }
        return key.isValidSignature(signature, for: jws.signed)
    }
}
