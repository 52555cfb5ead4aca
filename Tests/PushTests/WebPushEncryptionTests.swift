import Crypto
import Foundation
import Platform
import Testing

@testable import Push

@Suite("The encryption of push messages")
struct WebPushEncryptionTests {
    /// RFC 8291, appendix A.
    private enum Example {
        static let text = "When I grow up, I want to be a watermelon"
        static let auth = "BTBZMqHH6r4Tts7J_aSIgg"
        static let receiver = "q1dXpw3UpT5VOmu_cf_v6ih07Aems3njxI-JWgLcM94"
        static let receiverPublic =
            "BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4"
        static let sender = "yfWPiYE-n46HLnH0KqZOF1fJJU3MYrct3AELtAQ-oRw"
        static let salt = "DGv6ra1nlYgDCS1FRnbzlw"
        static let key = "oIhVW04MRdy2XN9CiKLxTg"
        static let nonce = "4h_95klXJ5E_qnoN"
        static let body =
            "DGv6ra1nlYgDCS1FRnbzlwAAEABBBP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27mlmlMoZIIgDll6e3vCYLocInmYWAmS6TlzAC8wEqKK6PBru3"
            + "jl7A_yl95bQpu6cVPTpK4Mqgkf1CXztLVBSt2Ks3oZwbuwXPXLWyouBWLVWGNWQexSgSxsj_Qulcy4a-fN"
    }

    private func bytes(_ text: String) throws -> [UInt8] { try #require(Base64URL.bytes(of: text)) }

    @Test("The example of RFC 8291 comes out byte by byte, with its keys")
    func exampleOfTheRFC() throws {
        let receiver = try P256.KeyAgreement.PrivateKey(rawRepresentation: bytes(Example.receiver))
        let sample = SampleSubscription(privateKey: receiver, auth: Example.auth)
        #expect(sample.p256dh == Example.receiverPublic)
        let subscription = try sample.subscription()
        let sender = try P256.KeyAgreement.PrivateKey(rawRepresentation: bytes(Example.sender))
        let salt = try bytes(Example.salt)
        let keys = try WebPushEncryption.keys(for: subscription, key: sender, salt: salt)
        #expect(keys.content.withUnsafeBytes { Base64URL.text(of: Array($0)) } == Example.key)
        #expect(Base64URL.text(of: keys.nonce) == Example.nonce)
        let body = try WebPushEncryption.body(Array(Example.text.utf8), for: subscription, key: sender, salt: salt)
        #expect(Base64URL.text(of: body) == Example.body)
    }

    @Test("Each message has a key and a salt of its own, and the length that every service accepts")
    func freshKeys() throws {
        let subscription = try SampleSubscription().subscription()
        let bodies = try (0..<20).map { _ in try WebPushEncryption.body(Array("same".utf8), for: subscription) }
        #expect(Set(bodies.map { Array($0[..<16]) }).count == 20)
        #expect(Set(bodies.map { Array($0[21..<86]) }).count == 20)
        for body in bodies {
            #expect(body.count == 4 + WebPushEncryption.overhead)
            #expect(body[16..<21] == [0, 0, 16, 0, 65] && body[21] == 4)
        }
        let longest = [UInt8](repeating: 0x61, count: WebPushEncryption.longestMessage)
        #expect(try WebPushEncryption.body(longest, for: subscription).count < 4_096)
        #expect(try WebPushEncryption.body([], for: subscription).count == WebPushEncryption.overhead)
    }
}
