import Crypto
import Foundation
import Model
import TestSupport
import Testing

@testable import UpstreamSimulator

@Suite("The simulated push service", .timeLimit(.minutes(5)))
struct SimulatedPushTests {
    /// RFC 8291, appendix A.
    private enum Example {
        static let receiver = "q1dXpw3UpT5VOmu_cf_v6ih07Aems3njxI-JWgLcM94"
        static let auth = "BTBZMqHH6r4Tts7J_aSIgg"
        static let body =
            "DGv6ra1nlYgDCS1FRnbzlwAAEABBBP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27mlmlMoZIIgDll6e3vCYLocInmYWAmS6TlzAC8wEqKK6PBru3"
            + "jl7A_yl95bQpu6cVPTpK4Mqgkf1CXztLVBSt2Ks3oZwbuwXPXLWyouBWLVWGNWQexSgSxsj_Qulcy4a-fN"
    }

    private func bytes(_ text: String) throws -> Data { try #require(JWS.decode(Substring(text))) }

    private func decryption() throws -> PushDecryption {
        PushDecryption(
            privateKey: try P256.KeyAgreement.PrivateKey(rawRepresentation: try bytes(Example.receiver)),
            authenticationSecret: try bytes(Example.auth))
    }

    @Test("A browser opens the example of RFC 8291")
    func exampleOfTheRFC() throws {
        let message = try decryption().message(in: Array(try bytes(Example.body)))
        #expect(String(decoding: message, as: UTF8.self) == "When I grow up, I want to be a watermelon")
    }

    @Test("A browser drops a message with any damage, and knows which")
    func damage() throws {
        let decryption = try decryption()
        let good = Array(try bytes(Example.body))
        func failure(_ change: (inout [UInt8]) -> Void) -> PushDecryption.Failure? {
            var body = good
            change(&body)
            do throws(PushDecryption.Failure) {
                _ = try decryption.message(in: body)
                return nil
            } catch {
                return error
            }
        }
        #expect(failure { _ in } == nil)
        #expect(failure { $0 = Array($0[..<20]) } == .headerTooShort)
        #expect(failure { $0 = Array($0[..<60]) } == .headerTooShort)
        #expect(
            failure {
                $0[19] = 17; $0[18] = 0
            } == .recordSizeTooSmall)
        #expect(
            failure {
                $0[19] = 40; $0[18] = 0
            } == .severalRecords)
        #expect(failure { $0[20] = 64 } == .keyMissing)
        #expect(failure { $0[21] = 2 } == .keyMissing)
        #expect(failure { $0[85] ^= 1 } == .keyNotOnCurve)
        #expect(failure { $0 = Array($0[..<100]) } == .recordTooShort)
        for place in [0, 86, 120, good.count - 1] { #expect(failure { $0[place] ^= 1 } == .doesNotOpen) }
    }

    // MARK: Tokens

    private let key = P256.Signing.PrivateKey()
    private static let origin = "https://push.example.org"

    private func header(
        head: [String: JSONValue] = ["typ": "JWT", "alg": "ES256"],
        change: (inout [String: JSONValue]) -> Void = { _ in },
        sign: ((Data) throws -> Data)? = nil
    ) throws -> String {
        var claims: [String: JSONValue] = [
            "aud": .string(Self.origin), "exp": .integer(Int(Date().timeIntervalSince1970) + 43_200),
            "sub": "mailto:push@example.org",
        ]
        change(&claims)
        let token = try JWS.make(header: head, claims: claims) { text in
            try sign?(text) ?? key.signature(for: text).rawRepresentation
        }
        return "vapid t=\(token), k=\(PKCE.base64URL(key.publicKey.x963Representation))"
    }

    private func refusal(of header: String?, expected: Data? = nil) -> VAPIDProof.Refusal? {
        do throws(VAPIDProof.Refusal) {
            try VAPIDProof(header).check(origin: Self.origin, expected: expected, at: Date())
            return nil
        } catch {
            return error
        }
    }

    private func isBad(_ header: String) -> Bool {
        if case .badToken = refusal(of: header) { true } else { false }
    }

    @Test("A token is accepted only with the right signature, audience, end and contact, and for the right key")
    func tokens() throws {
        let good = try header()
        #expect(refusal(of: good) == nil && refusal(of: good, expected: key.publicKey.x963Representation) == nil)
        #expect(
            refusal(of: good, expected: P256.Signing.PrivateKey().publicKey.x963Representation) == .otherKey)
        for missing in [nil, "", "Bearer x", "vapid", "vapid t=a", good.replacing("k=", with: "t=")] {
            #expect(refusal(of: missing) == .missing)
        }
        let now = Int(Date().timeIntervalSince1970)
        #expect(isBad(try header { $0["aud"] = "https://other.example.org" }))
        for end: JSONValue? in [nil, .integer(now - 1), .integer(now + 86_500), "soon"] {
            #expect(isBad(try header { $0["exp"] = end }))
        }
        for contact: JSONValue? in [
            nil, "push@example.org", "mailto:push@localhost", "mailto: push@example.org", "https://localhost:8080",
            "https://nas.local", "mailto:a@b.invalid", "https://192.168.1.2",
        ] {
            #expect(isBad(try header { $0["sub"] = contact }))
        }
        #expect(isBad(try header(head: ["typ": "JWT", "alg": "none"])))
        #expect(isBad(try header(head: ["alg": "ES256"])))
        #expect(isBad(try header(sign: { try self.key.signature(for: $0).derRepresentation })))
        #expect(isBad(try header(sign: { try P256.Signing.PrivateKey().signature(for: $0).rawRepresentation })))
    }

    // MARK: Requests

    @Test("Each header field is required or checked as RFC 8030 says, and an endpoint answers only to POST")
    func headerFields() async throws {
        try await withSimulator { running in
            let browser = try running.simulator.push.subscribe(PushSimulator.SubscriptionOrder())[0]
            let path = "/push/\(browser.token)"
            let fields = [
                "TTL": "60", "Urgency": "high", "Topic": "a-1", "Content-Encoding": "aes128gcm",
                "Authorization": try header { $0["aud"] = .string("http://127.0.0.1:\(running.port)") },
            ]
            func status(_ changes: [String: String?] = [:], path other: String? = nil) async throws -> Int {
                let sent = fields.merging(changes.compactMapValues { $0 }) { $1 }
                    .filter { changes[$0.key] != .some(.none) }
                return try await running.send(
                    "POST", other ?? path, headers: sent.map { "\($0.key): \($0.value)" }, body: "x"
                ).status
            }
            #expect(try await status() == 201)
            for (field, value) in [
                ("TTL", nil), ("TTL", "soon"), ("TTL", "-1"), ("Urgency", "urgent"), ("Topic", "a_b"),
                ("Topic", String(repeating: "a", count: 33)), ("Content-Encoding", nil), ("Content-Encoding", "aesgcm"),
            ] as [(String, String?)] {
                #expect(try await status([field: value]) == 400, "\(field)")
            }
            #expect(try await status(["Authorization": nil]) == 401)
            #expect(try await status(["Authorization": try header()]) == 403)
            #expect(try await status(path: "/push/unknown") == 404)
            #expect(try await running.send("GET", path).status == 404)
            // The service accepts what the browser then cannot open.
            let present = running.simulator.push.state.withLock { $0.subscriptions[browser.token] }
            #expect(present?.counts == SimulatedSubscription.Counts(accepted: 1, dropped: 1))
            #expect(present?.shown.first?.failure == .headerTooShort)
        }
    }

    @Test("The commands subscribe browsers, take them offline and online, and report what they have shown")
    func commands() async throws {
        try await withSimulator { running in
            let made = try await running.send(
                "POST", "/_sim/push/subscriptions", body: #"{"count": 2}"#)
            let list = try #require(try JSONSerialization.jsonObject(with: made.body) as? [[String: Any]])
            #expect(list.count == 2)
            let endpoint = try #require(list[0]["endpoint"] as? String)
            #expect(endpoint.hasPrefix("http://127.0.0.1:\(running.port)/push/"))
            let keys = try #require(list[0]["keys"] as? [String: String])
            #expect(try bytes(keys["p256dh"] ?? "").count == 65 && bytes(keys["auth"] ?? "").count == 16)
            let id = try #require(list[0]["id"] as? String)
            let ended = try await running.send("POST", "/_sim/push/subscriptions/\(id)", body: #"{"end": true}"#)
            #expect(ended.json?["ended"] as? Bool == true)
            #expect(try await running.send("GET", "/_sim/push/subscriptions/x/messages").status == 404)
            for body in [#"{"count": 0}"#, #"{"count": 100000}"#, #"{"applicationServerKey": "AA"}"#] {
                #expect(try await running.send("POST", "/_sim/push/subscriptions", body: body).status == 400)
            }
            #expect(try await running.send("GET", "/_sim/push/counts").json?["accepted"] as? Int == 0)
            #expect(try await running.send("POST", "/_sim/push/reset").status == 200)
            #expect(try await running.send("GET", "/_sim/push/subscriptions").text == "[]")
        }
    }
}
