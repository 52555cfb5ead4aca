import Crypto
import Foundation
import Model
import Platform
import Testing

@testable import Push

@Suite("Who sends push messages (VAPID)")
struct VAPIDTests {
    private let keys = VAPIDKeyPair()
    private let start = Timestamp(microseconds: 1_800_000_000_000_000)

    private func tokens() throws -> VAPIDTokens {
        VAPIDTokens(keys: keys, contact: try VAPIDContact("https://music.example.org"))
    }

    @Test("A key pair comes back from its text for a vault; other texts are refused with what to think of")
    func keyPair() throws {
        let read = try VAPIDKeyPair(secret: keys.secret)
        #expect(read.publicKey == keys.publicKey && read.secret == keys.secret)
        #expect(keys.publicKey.utf8.count == 87 && keys.secret.reveal().utf8.count == 43)
        #expect(VAPIDKeyPair().publicKey != keys.publicKey)
        for text in ["", "AA", keys.publicKey, keys.secret.reveal() + "A"] {
            #expect(throws: VAPIDKeyError.self) { try VAPIDKeyPair(secret: Secret(text)) }
        }
    }

    @Test("A token has the service's origin, the contact and twelve hours, and the signature of the public key")
    func token() throws {
        let header = try tokens().authorization(for: "https://push.example.org:8443", at: start).reveal()
        let match = try #require(try /vapid t=([\w-]+)\.([\w-]+)\.([\w-]+),k=([\w-]+)/.wholeMatch(in: header))
        #expect(String(match.4) == keys.publicKey)
        let head = try #require(Base64URL.bytes(of: match.1))
        #expect(String(decoding: head, as: UTF8.self) == #"{"alg":"ES256","typ":"JWT"}"#)
        let body = Data(try #require(Base64URL.bytes(of: match.2)))
        let claims = try #require(try JSONSerialization.jsonObject(with: body) as? [String: Any])
        #expect(claims["aud"] as? String == "https://push.example.org:8443")
        #expect(claims["sub"] as? String == "https://music.example.org")
        #expect(claims["exp"] as? Int == 1_800_000_000 + 12 * 3_600)
        let signature = try P256.Signing.ECDSASignature(rawRepresentation: try #require(Base64URL.bytes(of: match.3)))
        let key = try P256.Signing.PublicKey(x963Representation: try #require(Base64URL.bytes(of: match.4)))
        #expect(key.isValidSignature(signature, for: Data("\(match.1).\(match.2)".utf8)))
    }

    @Test("A token is used for six hours, for its own service, and not after the clock was set back or it was refused")
    func caching() throws {
        let tokens = try tokens()
        func token(_ origin: String, after seconds: Int) throws -> String {
            try tokens.authorization(for: origin, at: start.advanced(by: .seconds(seconds))).reveal()
        }
        let first = try token("https://a.org", after: 0)
        #expect(try token("https://a.org", after: 6 * 3_600 - 1) == first)
        #expect(try token("https://b.org", after: 0) != first)
        let second = try token("https://a.org", after: 6 * 3_600)
        #expect(second != first)
        #expect(try token("https://a.org", after: 0) != second)
        let third = try token("https://a.org", after: 0)
        tokens.forget("https://a.org")
        #expect(try token("https://a.org", after: 0) != third)
    }

    @Test("Any number of services leaves a bounded number of tokens, all of them right")
    func manyServices() throws {
        let tokens = try tokens()
        for number in 0..<(VAPIDTokens.mostTokens + 10) {
            let header = try tokens.authorization(for: "https://h\(number).org", at: start).reveal()
            let claims = try #require(Base64URL.bytes(of: header.split(separator: ".")[1]))
            #expect(String(decoding: claims, as: UTF8.self).contains("\"https://h\(number).org\""))
        }
    }

    @Test(
        "Contacts of public domains are accepted",
        arguments: [
            "mailto:admin@example.com", "mailto:a.b+c@mail.example.org", "https://music.example.org",
            "https://music.example.org:8443/contact", "mailto:admin@Example.com",
        ])
    func contacts(text: String) throws {
        #expect(try VAPIDContact(text).description == text)
    }

    @Test(
        "Contacts that services refuse are refused, with the reason",
        arguments: [
            ("", "begins neither"), ("admin@example.com", "begins neither"), ("http://example.com", "begins neither"),
            ("tel:+1", "begins neither"), ("mailto:", "no @"), ("mailto:admin", "no @"),
            ("mailto: admin@example.com", "blank"), ("mailto:admin@example.com ", "blank"),
            ("mailto:admin@localhost", "names localhost"), ("mailto:admin@home.local", "names home.local"),
            ("mailto:admin@a.invalid", "not a name on the public internet"), ("mailto:@example.com", "no plain name"),
            ("mailto:a\"b@example.com", "no plain name"), ("mailto:a?subject=x@example.com", "no plain name"),
            ("mailto:admin@10.0.0.1", "not a name on the public internet"), ("mailto:a@exa_mple.com", "no valid name"),
            ("https://localhost:8080", "names localhost"), ("https://192.168.1.2", "names 192.168.1.2"),
            ("https://nas.local/x", "names nas.local"), ("https://user@example.com", "user name"),
            ("https://example.com/#a", "fragment"), ("https://exa mple.com", "percent-encoded"),
            ("https://" + String(repeating: "a", count: 300), "longer than 200"),
        ])
    func refusedContacts(text: String, reason: String) {
        let error = #expect(throws: VAPIDContactError.self) { try VAPIDContact(text) }
        #expect(error?.reason.contains(reason) == true, "\(error?.reason ?? "")")
        #expect(error?.description.contains("Use an https:// page or a mailto: address") == true)
    }
}
