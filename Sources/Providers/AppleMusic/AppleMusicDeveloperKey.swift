import Foundation
import JWTKit
import Model

/// The key that signs developer tokens (JWT, ES256).
package struct AppleMusicDeveloperKey: Sendable, Equatable {
    /// How long a token is valid, in seconds. Apple allows six months; a short-lived token needs no revocation.
    static let lifetime: TimeInterval = 3_600
    /// How far a token is backdated, in seconds: Apple refuses tokens from the future, and clocks differ.
    static let skew: TimeInterval = 60

    let teamID: String
    let keyID: String
    private let privateKey: Secret

    /// - Parameter privateKey: PKCS #8 in PEM, as in Apple's `.p8` files.
    package init(teamID: String, keyID: String, privateKey: Secret) {
        self.teamID = teamID
        self.keyID = keyID
        self.privateKey = privateKey
    }

    private struct Claims: JWTPayload {
        var iss: IssuerClaim
        var iat: IssuedAtClaim
        var exp: ExpirationClaim

        func verify(using algorithm: some JWTAlgorithm) throws {}
    }

    /// Signs a new token.
    ///
    /// - Throws: ``AppleMusicError/privateKeyUnreadable``.
    package func token(now: Date = Date()) async throws(AppleMusicError) -> Secret {
        // Whole seconds: fractions are allowed (RFC 7519, section 2), but Apple's examples have none.
        let issued = Date(timeIntervalSince1970: (now.timeIntervalSince1970 - Self.skew).rounded(.down))
        let claims = Claims(
            iss: IssuerClaim(value: teamID), iat: IssuedAtClaim(value: issued),
            exp: ExpirationClaim(value: issued.addingTimeInterval(Self.lifetime)))
        do {
            let kid = JWKIdentifier(string: keyID)
            let keys = JWTKeyCollection()
            await keys.add(ecdsa: try ES256PrivateKey(pem: Self.pem(privateKey.reveal())), kid: kid)
            return Secret(try await keys.sign(claims, kid: kid))
        } catch {
            // The error may quote the key.
            throw .privateKeyUnreadable
        }
    }

    /// Normalises a key to PEM (RFC 7468): a clipboard may have joined or indented its lines.
    static func pem(_ text: String) -> String {
        let begin = "-----BEGIN PRIVATE KEY-----"
        let end = "-----END PRIVATE KEY-----"
        let digits = text.replacing(begin, with: "").replacing(end, with: "").filter { !$0.isWhitespace }
        var lines: [Substring] = []
        var rest = Substring(digits)
        while !rest.isEmpty {
            lines.append(rest.prefix(64))
            rest = rest.dropFirst(64)
        }
        return ([Substring(begin)] + lines + [Substring(end)]).joined(separator: "\n") + "\n"
    }
}
