import Foundation
import Model
import Testing

@testable import AppleMusic

@Suite("Apple Music's developer tokens")
struct AppleMusicDeveloperKeyTests {
    private let key = SampleKey()

    @Test("A token names its key and team, is signed, is backdated by a minute and valid for an hour")
    func claimsAndSignature() async throws {
        let now = Date(timeIntervalSince1970: 1_700_000_000)
        let token = try await key.developerKey().token(now: now).reveal()
        #expect(try SampleKey.header(of: token) == .init(alg: "ES256", kid: SampleKey.keyID))
        let claims = try await key.claims(of: token)
        #expect(claims == .init(iss: SampleKey.teamID, iat: 1_699_999_940, exp: 1_700_003_540))
        // Times are whole seconds, whenever the token is made: any other number would not decode as an Int.
        let later = try await key.developerKey().token(now: Date(timeIntervalSince1970: 1_700_000_000.7)).reveal()
        #expect(try await key.claims(of: later) == claims)
        // The signature is r and s without DER, as in JWTs: 64 bytes in base64.
        #expect(token.split(separator: ".").last?.count == 86)
    }

    @Test("A page's token names the site that may use it; other tokens name none")
    func pageToken() async throws {
        let now = Date(timeIntervalSince1970: 1_700_000_000)
        let signed = try await key.developerKey().pageToken(origin: "https://backline.test", now: now)
        let claims = try await key.claims(of: signed.token.reveal())
        #expect(claims.origin == ["https://backline.test"])
        #expect(Int64(claims.exp) == signed.expiresAt && claims.exp - claims.iat == 3_600)
        #expect(try await key.claims(of: key.developerKey().token(now: now).reveal()).origin == nil)
    }

    @Test("Joined and indented lines of a key file are read")
    func reformattedKeyFile() async throws {
        let lines = key.text.split(separator: "\n")
        let pasted = [
            lines.joined(separator: "\r\n") + "\r\n", lines.joined(separator: " "), lines.joined(),
            lines.map { "    \($0)\t" }.joined(separator: "\n\n"), "\n\n" + key.text.trimmingCharacters(in: .newlines),
        ]
        for text in pasted {
            let token = try await key.developerKey(pasted: text).token()
            #expect(try await key.claims(of: token.reveal()).iss == SampleKey.teamID, "\(text.debugDescription)")
        }
    }

    @Test("Text that is not a private key is refused without repeating it")
    func unreadableKey() async {
        let half = String(key.text.prefix(key.text.count / 2))
        for text in ["", "secret", half, key.signing.publicKey.pemRepresentation] {
            let error = await #expect(throws: AppleMusicError.self) { try await key.developerKey(pasted: text).token() }
            #expect(error == .privateKeyUnreadable)
        }
    }
}
