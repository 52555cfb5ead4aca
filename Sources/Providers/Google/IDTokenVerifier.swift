import Foundation
import JWTKit
import Model

/// The person that a verified ID token identifies.
package struct GoogleIdentity: Sendable, Equatable {
    /// Google's `sub`, 1 … 255 characters. It identifies the person permanently, unlike an address.
    package var subject: String
    /// An address that Google has verified.
    package var email: String?
    package var name: String?
    /// `https` only.
    package var pictureURL: String?
    /// The Google Workspace that the account belongs to; `nil` for other accounts.
    package var hostedDomain: String?
}

/// Verifies Google's ID tokens (OpenID Connect Core 1.0, section 3.1.3.7; developers.google.com/identity, "Verify the
/// Google ID token on your server side").
package struct IDTokenVerifier: Sendable {
    /// The longest accepted token. Google's are about 1 KiB long.
    package static let maximumBytes = 8_192
    /// The accepted difference between Google's clock and this machine's.
    package static let clockSkew = Duration.seconds(60)
    private static let issuers: Set<String> = ["https://accounts.google.com", "accounts.google.com"]

    private let clientIDs: Set<String>
    private let keys: GoogleKeys

    /// - Parameter clientIDs: the installation's client ids; a token must have been issued for one of them.
    package init(clientIDs: [String], keys: GoogleKeys) {
        self.clientIDs = Set(clientIDs)
        self.keys = keys
    }

    /// - Parameter nonce: the nonce of this sign-in; `nil` accepts any.
    /// - Throws: ``IDTokenError``; the error of fetching the keys while none are known.
    package func verify(_ token: Secret, nonce: String?, now: Timestamp = .now()) async throws -> GoogleIdentity {
        let text = token.reveal()
        guard text.utf8.count <= Self.maximumBytes else { throw IDTokenError.tooLarge }
        let header = try Self.header(of: text)
        // Checked first: the token must not choose how it is verified.
        guard header.alg == "RS256" else { throw IDTokenError.wrongAlgorithm }
        guard let keyID = header.kid, let key = try await keys.key(id: keyID) else { throw IDTokenError.unknownKey }
        let collection = JWTKeyCollection()
        try await collection.add(jwk: key)
        let claims: IDTokenClaims
        do {
            claims = try await collection.verify(text, as: IDTokenClaims.self)
        } catch let error as JWTError where error.errorType == .signatureVerificationFailed {
            throw IDTokenError.wrongSignature
        } catch {
            throw IDTokenError.malformed
        }
        try check(claims, nonce: nonce, now: now)
        return GoogleIdentity(claims)
    }

    func check(_ claims: IDTokenClaims, nonce: String?, now: Timestamp) throws(IDTokenError) {
        guard Self.issuers.contains(claims.iss) else { throw .wrongIssuer }
        guard !claims.audiences.isEmpty, claims.audiences.allSatisfy(clientIDs.contains),
            claims.azp.map(clientIDs.contains) ?? true
        else { throw .wrongAudience }
        let skew = Double(Self.clockSkew.components.seconds)
        let seconds = Double(now.microseconds) / 1_000_000
        guard claims.exp + skew > seconds else { throw .expired }
        guard claims.iat - skew <= seconds else { throw .notYetValid }
        guard nonce == nil || claims.nonce == nonce else { throw .wrongNonce }
        guard (1...255).contains(claims.sub.utf8.count) else { throw .malformed }
    }

    struct Header: Decodable {
        var alg: String
        var kid: String?
    }

    static func header(of token: String) throws(IDTokenError) -> Header {
        let parts = token.split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count == 3, !parts.contains(where: \.isEmpty) || parts[2].isEmpty,
            let data = Data(base64URL: parts[0]), let header = try? JSONDecoder().decode(Header.self, from: data)
        else { throw .malformed }
        return header
    }
}

/// The claims of an ID token that Backline reads.
struct IDTokenClaims: JWTPayload {
    var iss: String
    var aud: OneOrMany
    var azp: String?
    var exp: Double
    var iat: Double
    var sub: String
    var nonce: String?
    var email: String?
    var emailVerified: Truth?
    var name: String?
    var picture: String?
    var hd: String?

    enum CodingKeys: String, CodingKey {
        case iss, aud, azp, exp, iat, sub, nonce, email, name, picture, hd
        case emailVerified = "email_verified"
    }

    var audiences: [String] { aud.values }

    /// Empty: ``IDTokenVerifier`` checks the claims, since that needs more than the token.
    func verify(using algorithm: some JWTAlgorithm) {}

    /// RFC 7519, section 4.1.3, allows a string in place of an array with one element.
    struct OneOrMany: Codable {
        var values: [String]

        init(from decoder: any Decoder) throws {
            let container = try decoder.singleValueContainer()
            values = try (try? [container.decode(String.self)]) ?? container.decode([String].self)
        }

        func encode(to encoder: any Encoder) throws {
            var container = encoder.singleValueContainer()
            try container.encode(values)
        }
    }

    /// A boolean, or the string "true": Google has sent both.
    struct Truth: Codable {
        var value: Bool

        init(from decoder: any Decoder) throws {
            let container = try decoder.singleValueContainer()
            value = (try? container.decode(Bool.self)) ?? ((try? container.decode(String.self)) == "true")
        }

        func encode(to encoder: any Encoder) throws {
            var container = encoder.singleValueContainer()
            try container.encode(value)
        }
    }
}

extension GoogleIdentity {
    init(_ claims: IDTokenClaims) {
        self.init(
            subject: claims.sub, email: claims.emailVerified?.value == true ? claims.email : nil, name: claims.name,
            pictureURL: claims.picture.flatMap { $0.hasPrefix("https://") ? $0 : nil }, hostedDomain: claims.hd)
    }
}

extension Data {
    /// Base64url without padding (RFC 4648, section 5).
    init?(base64URL text: Substring) {
        let standard = String(
            text.map { character in
                switch character {
                case "-": "+"
                case "_": "/"
                default: character
                }
            })
        self.init(base64Encoded: standard + String(repeating: "=", count: (4 - standard.utf8.count % 4) % 4))
    }
}
