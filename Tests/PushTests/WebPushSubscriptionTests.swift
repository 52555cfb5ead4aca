import Crypto
import Model
import Platform
import TestSupport
import Testing

@testable import Push

@Suite("Subscriptions of browsers")
struct WebPushSubscriptionTests {
    private let sample = SampleSubscription()

    @Test(
        "The endpoints of the usual services are accepted",
        arguments: [
            "https://fcm.googleapis.com/fcm/send/eX:APA91bE-_x", "https://web.push.apple.com/QGkq",
            "https://updates.push.services.mozilla.com/wpush/v2/gAAAAABn", "https://ntfy.sh/upDGYdxuqWiMC?up=1",
            "https://wns2-par02p.notify.windows.com/w/?token=BQYAAAB%2bx", "https://push.example.org:8443/a/b",
            "https://PUSH.example.org/a", "https://push.example.org?up=1",
        ])
    func endpoints(endpoint: String) throws {
        let subscription = try sample.subscription(endpoint: endpoint)
        #expect(subscription.origin.hasPrefix("https://") && subscription.allowedAddresses == .publicInternet)
        #expect(subscription.host == subscription.host.lowercased())
    }

    @Test("The audience is the origin without the port of https; the target keeps path and query as they are")
    func parts() throws {
        let plain = try sample.subscription(endpoint: "https://Push.Example.org:443/A%2Fb?c=%2B")
        #expect(plain.origin == "https://push.example.org" && plain.target.reveal() == "/A%2Fb?c=%2B")
        #expect(try sample.subscription(endpoint: "https://a.org:8443/x").origin == "https://a.org:8443")
    }

    @Test("Another port of a service is another host")
    func ports() throws {
        #expect(try sample.subscription(endpoint: "https://fcm.googleapis.com:443/x").host == "fcm.googleapis.com")
        #expect(
            try sample.subscription(endpoint: "https://fcm.googleapis.com:8443/x").host == "fcm.googleapis.com:8443")
    }

    /// Endpoints that a person could send in order to reach something else.
    static let hostileEndpoints = [
        "", "x", "https://", "https:///a", "https://a.org", "https://a.org/", "http://a.org/x", "HTTPS://a.org/x",
        "ftp://a.org/x", "javascript:alert(1)", "//a.org/x", "https://127.0.0.1/x", "https://localhost/x",
        "https://[::1]/x", "https://10.0.0.8/x", "https://8.8.8.8/x", "https://169.254.169.254/latest/meta-data",
        "https://2130706433/x", "https://127.1/x", "https://0x7f.0.0.1/x", "https://a.local/x", "https://intranet/x",
        "https://a.internal/x", "https://push.localhost/x", "https://a.org:22/x", "https://a.org:0/x",
        "https://a.org:65536/x", "https://a.org:-1/x", "https://a.org:/x", "https://a.org:8443x/x",
        "https://user@a.org/x", "https://user:pass@a.org/x", "https://a.org@127.0.0.1/x", "https://a.org/x#f",
        "https://a.org\\@127.0.0.1/x", "https://a.org/x y", "https://a.org/\r\nHost: b", "https://a.org/\u{0}",
        "https://é.org/x", "https://a.org/é", "https://a..org/x", "https://-a.org/x", "https://a.org./x",
        "https://[::1/x", "https://[a.org]/x", "https://a.org/[x]", "https://a.org/\"x",
        "https://a.org/" + String(repeating: "x", count: 2_000),
    ]

    @Test("Endpoints that lead elsewhere, or that no browser gives out, are refused", arguments: hostileEndpoints)
    func hostileEndpoint(endpoint: String) {
        let error = #expect(throws: WebPushSubscriptionError.self) { try sample.subscription(endpoint: endpoint) }
        #expect(error?.field == .endpoint)
        #expect(error?.description.contains("secret") != true)
        if endpoint.utf8.count > 20 { #expect(error?.description.contains(endpoint) != true) }
    }

    @Test("Keys that are not points of the curve, or have another form, are refused")
    func hostileKeys() throws {
        let good = try #require(Base64URL.bytes(of: sample.p256dh))
        var offCurve = good
        offCurve[64] ^= 1
        var compressed = good
        compressed[0] = 2
        let infinity = [UInt8](repeating: 0, count: 65)
        let wrongKeys = [
            "", "AA", sample.p256dh + "=", sample.p256dh + "A", String(sample.p256dh.dropLast()), " " + sample.p256dh,
            Base64URL.text(of: offCurve), Base64URL.text(of: compressed), Base64URL.text(of: infinity),
            Base64URL.text(of: [4] + infinity.dropFirst()),
            Base64URL.text(of: [4] + [UInt8](repeating: 0xFF, count: 64)), Base64URL.text(of: good[..<33]),
            String(repeating: "A", count: 100_000),
        ]
        for key in wrongKeys {
            let error = #expect(throws: WebPushSubscriptionError.self) {
                try WebPushSubscription(endpoint: SampleSubscription.endpoint, p256dh: key, auth: sample.auth)
            }
            #expect(error?.field == .p256dh)
        }
        for auth in [
            "", "AA", sample.auth + "A", sample.auth + "==", String(sample.auth.dropLast()),
            "+/" + sample.auth.dropFirst(2), String(repeating: "A", count: 100_000),
        ] {
            let error = #expect(throws: WebPushSubscriptionError.self) {
                try WebPushSubscription(endpoint: SampleSubscription.endpoint, p256dh: sample.p256dh, auth: auth)
            }
            #expect(error?.field == .auth)
        }
    }

    @Test("Damaged subscriptions are refused, or are subscriptions to the public internet", arguments: Fuzzing.seeds())
    func damaged(seed: UInt64) throws {
        var random = SeededRandom(seed: seed)
        let seedText = try sample.subscription().secret.reveal()
        for _ in 0..<2_000 {
            let text = String(decoding: random.damaged(Array(seedText.utf8)), as: UTF8.self)
            guard let subscription = try? WebPushSubscription(secret: Secret(text)) else { continue }
            #expect(PublicHost.isName(subscription.address.host) && subscription.target.reveal().hasPrefix("/"))
        }
    }

    @Test("A subscription comes back from its text for a vault, and shows only its host")
    func secretText() throws {
        let subscription = try sample.subscription(endpoint: "https://push.example.org/very-secret")
        let read = try WebPushSubscription(secret: subscription.secret)
        #expect(read.secret == subscription.secret && read.fingerprint == subscription.fingerprint)
        #expect(subscription.fingerprint != (try sample.subscription().fingerprint))
        var dumped = ""
        dump(subscription, to: &dumped)
        for shown in ["\(subscription)", String(reflecting: subscription), dumped] {
            #expect(!shown.contains("very-secret") && !shown.contains(sample.auth))
        }
        #expect(throws: WebPushSubscriptionError.self) { try WebPushSubscription(secret: Secret("https://a.org/x")) }
    }

    @Test("Only the configured simulated service may be on this machine, and without https")
    func simulatedService() throws {
        func make(_ endpoint: String, _ origin: String) throws -> WebPushSubscription {
            try WebPushSubscription(
                endpoint: endpoint, p256dh: sample.p256dh, auth: sample.auth, simulatedOrigin: origin)
        }
        let simulated = try make("http://127.0.0.1:4700/push/x", "http://127.0.0.1:4700")
        #expect(simulated.allowedAddresses == .thisMachine && simulated.origin == "http://127.0.0.1:4700")
        #expect(throws: WebPushSubscriptionError.self) {
            try make("http://127.0.0.1:4701/push/x", "http://127.0.0.1:4700")
        }
        // A configuration cannot admit another host.
        #expect(throws: WebPushSubscriptionError.self) { try make("http://10.0.0.1:80/push/x", "http://10.0.0.1") }
        #expect(try make("https://a.org/x", "http://127.0.0.1:4700").allowedAddresses == .publicInternet)
    }
}
