import Foundation
import JWTKit
import Model
import Testing

@testable import AppleMusic

/// A developer's private key in the form that Apple issues, generated for a test.
struct SampleKey: Sendable {
    static let teamID = "TEAM123456"
    static let keyID = "KEY1234567"

    let signing = ES256PrivateKey()

    /// The content of a `.p8` file.
    var text: String { signing.pemRepresentation }

    /// - Parameter text: the text that a person pasted, if it differs from the file.
    func developerKey(pasted text: String? = nil) -> AppleMusicDeveloperKey {
        AppleMusicDeveloperKey(teamID: Self.teamID, keyID: Self.keyID, privateKey: Secret(text ?? self.text))
    }

    /// The claims of a developer token, which must be signed with this key.
    func claims(of token: String) async throws -> Claims {
        let keys = JWTKeyCollection()
        await keys.add(ecdsa: signing.publicKey, kid: JWKIdentifier(string: Self.keyID))
        return try await keys.verify(token, as: Claims.self)
    }

    struct Claims: JWTPayload, Equatable {
        var iss: String
        /// Seconds since 1970, like `exp`.
        var iat: Int
        var exp: Int
        var origin: [String]?

        func verify(using algorithm: some JWTAlgorithm) throws {}
    }

    struct Header: Decodable, Equatable {
        var alg: String
        var kid: String
    }

    static func header(of token: String) throws -> Header {
        let part = try #require(token.split(separator: ".").first)
        let base64 = part.replacing("-", with: "+").replacing("_", with: "/")
        let padded = base64 + String(repeating: "=", count: (4 - base64.count % 4) % 4)
        return try JSONDecoder().decode(Header.self, from: try #require(Data(base64Encoded: String(padded))))
    }
}
