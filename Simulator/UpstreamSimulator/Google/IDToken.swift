import Crypto
import Foundation

/// An ID token that may have defects: the body of `POST /_sim/google/mint`.
struct IDToken {
    enum Algorithm: String, Sendable, Codable {
        case rs256 = "RS256"
        /// Without a signature.
        case none
        /// Signed with the PEM of the public key as the HMAC secret, which a verifier that trusts the header accepts.
        case hs256 = "HS256"
    }

    enum SigningKey: String, Sendable, Codable {
        case current
        /// Signed with another key under an id that is in no key set.
        case unknown
        /// Signed with another key under the id of the current one.
        case forged
    }

    /// The token that a test requests. All members are optional.
    struct Order: Sendable, Codable {
        /// The `sub` of one of the simulator's people; by default the first.
        var person: String?
        /// The client; by default the first.
        var audience: String?
        var nonce: String?
        var algorithm: Algorithm?
        var key: SigningKey?
        /// Negative for a token that was issued in the future.
        var issuedSecondsAgo: Int?
        /// The time from `iat` to `exp`, in seconds.
        var lifeSeconds: Int?
        /// Values that replace the usual claims; `null` removes a claim.
        var claims: [String: JSONValue]?
    }

    var claims: [String: JSONValue]
    var algorithm = Algorithm.rs256

    /// The claims of a person who signed in just now.
    init(_ person: GooglePerson, client: String, nonce: String?, scopes: Set<String>, at now: Date) {
        let issued = Int(now.timeIntervalSince1970)
        claims = person.claims(scopes: scopes)
        claims["iss"] = "https://accounts.google.com"
        claims["azp"] = .string(client)
        claims["aud"] = .string(client)
        claims["iat"] = .integer(issued)
        claims["exp"] = .integer(issued + 3_600)
        claims["nonce"] = nonce.map { .string($0) }
        // Makes each token different, even two of one person within a second: a token signs in only once.
        claims["jti"] = .string(UUID().uuidString.lowercased())
    }

    /// - Parameters:
    ///   - key: the signing key.
    ///   - id: the key id in the header.
    ///   - publicKey: the PEM of the key that verifiers know.
    func text(key: GoogleKeys.Key, id: String, publicKey: String) throws -> String {
        var header: [String: JSONValue] = ["alg": .string(algorithm.rawValue), "typ": "JWT"]
        if algorithm != .none { header["kid"] = .string(id) }
        return try JWS.make(header: header, claims: claims) { bytes in
            switch algorithm {
            case .rs256: return try key.sign(bytes)
            case .none: return Data()
            case .hs256:
                let secret = SymmetricKey(data: Data(publicKey.utf8))
                return Data(HMAC<SHA256>.authenticationCode(for: bytes, using: secret))
            }
        }
    }
}
