import Crypto
import Foundation

/// A developer token, with Apple's rules for it.
struct DeveloperToken {
    /// Six months, by Apple's documentation.
    static let longestLife = 15_777_000.0

    let jws: JWS

    /// `nil` for a text that is no signed JSON at all.
    init?(_ text: String) {
        guard let jws = JWS(text) else { return nil }
        self.jws = jws
    }

    /// The sites whose pages may use it; `nil` for a token of a server.
    var origins: [String]? { jws.claims["origin"] as? [String] }

    /// Whether a call with this `Origin` may use it.
    func admits(origin: String?) -> Bool {
        guard let origins else { return true }
        return origin.map(origins.contains) ?? false
    }

    /// Whether the API accepts the token at this time.
    func isGood(team: String, keyID: String, key: P256.Signing.PublicKey, at now: Date) -> Bool {
        guard jws.header["alg"] as? String == "ES256", jws.header["kid"] as? String == keyID,
            jws.claims["iss"] as? String == team,
            let issued = (jws.claims["iat"] as? NSNumber)?.doubleValue,
            let expires = (jws.claims["exp"] as? NSNumber)?.doubleValue
        else { return false }
        guard issued <= now.timeIntervalSince1970, expires > now.timeIntervalSince1970,
            expires - issued <= Self.longestLife
        else { return false }
        // r and s one after the other; a DER signature has another length and is none.
        guard let signature = try? P256.Signing.ECDSASignature(rawRepresentation: jws.signature) else { return false }
        return key.isValidSignature(signature, for: jws.signed)
    }
}
