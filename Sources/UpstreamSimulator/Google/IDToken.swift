import Crypto
import Foundation

/// An id token in the making, with whatever is to be wrong about it: what `POST /_sim/google/mint` takes.
struct IDToken {
    enum Algorithm: String, Sendable, Codable {
        case RS256
        /// Without a signature.
        case none
        /// Signed with the text of our public key as the secret, which a verifier that believes the header takes.
        case HS256
    }

    enum SigningKey: String, Sendable, Codable {
        case current
        /// Another key under an id that no key set has.
        case unknown
        /// Another key under the id of the current one.
        case forged
    }

    /// What a test may order; all of it optional.
    struct Order: Sendable, Codable {
        /// The `sub` of one of the simulator's people; the first unless said otherwise.
        var person: String?
        /// The client; the first unless said otherwise.
        var audience: String?
        var nonce: String?
        var algorithm: Algorithm?
        var key: SigningKey?
        /// Negative for a token of the future.
        var issuedSecondsAgo: Int?
        /// From `iat` to `exp`.
        var lifeSeconds: Int?
    }

    var claims: [String: Any]
    var algorithm = Algorithm.RS256

    /// The claims of somebody who signed in just now.
    init(_ person: GooglePerson, client: String, nonce: String?, scopes: Set<String>, at now: Date) {
        let issued = Int(now.timeIntervalSince1970)
        claims = person.claims(scopes: scopes)
        claims["iss"] = "https://accounts.google.com"
        claims["azp"] = client
        claims["aud"] = client
        claims["iat"] = issued
        claims["exp"] = issued + 3_600
        claims["nonce"] = nonce
        // No two are alike, also of one person in the same second.
        claims["jti"] = UUID().uuidString.lowercased()
    }

    /// - Parameters:
    ///   - key: signs.
    ///   - id: what the header says of it.
    ///   - publicKey: PEM of the key that verifiers know.
    func text(key: GoogleKeys.Key, id: String, publicKey: String) throws -> String {
        var header: [String: Any] = ["alg": algorithm.rawValue, "typ": "JWT"]
        if algorithm != .none { header["kid"] = id }
        return try JWS.make(header: header, claims: claims) { bytes in
            switch algorithm {
            case .RS256: return try key.sign(bytes)
            case .none: return Data()
            case .HS256:
                let secret = SymmetricKey(data: Data(publicKey.utf8))
                return Data(HMAC<SHA256>.authenticationCode(for: bytes, using: secret))
            }
        }
    }
}
