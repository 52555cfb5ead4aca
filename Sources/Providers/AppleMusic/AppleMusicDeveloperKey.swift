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
        var origin: [String]?

        func verify(using algorithm: some JWTAlgorithm) throws {}
    }

    /// A token for a page, which everybody who opens the page can read.
    package struct PageToken: Sendable {
        package let token: Secret
        /// In whole seconds since 1970.
        package let expiresAt: Int64
    }

    /// Signs a token that Apple accepts only from the pages of one site.
    ///
    /// - Parameter origin: scheme, host and port of the site, as browsers send them.
    /// - Throws: ``AppleMusicError/privateKeyUnreadable``.
    package func pageToken(origin: String, now: Date = Date()) async throws(AppleMusicError) -> PageToken {
        let end = Self.issued(at: now).addingTimeInterval(Self.lifetime)
        return PageToken(
            token: try await token(origins: [origin], now: now), expiresAt: Int64(end.timeIntervalSince1970))
    }

    /// Signs a new token.
    ///
    /// - Parameter origins: the sites whose pages alone may use it; `nil` for a token used by a server.
    /// - Throws: ``AppleMusicError/privateKeyUnreadable``.
    package func token(origins: [String]? = nil, now: Date = Date()) async throws(AppleMusicError) -> Secret {
        let issued = Self.issued(at: now)
        let claims = Claims(
            iss: IssuerClaim(value: teamID), iat: IssuedAtClaim(value: issued),
            exp: ExpirationClaim(value: issued.addingTimeInterval(Self.lifetime)), origin: origins)
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

    /// Whole seconds: fractions are allowed (RFC 7519, section 2), but Apple's examples have none.
    private static func issued(at now: Date) -> Date {
        Date(timeIntervalSince1970: (now.timeIntervalSince1970 - skew).rounded(.down))
    }

    /// Normalizes a key to PEM (RFC 7468): a clipboard may have joined or indented its lines.
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
