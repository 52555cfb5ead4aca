import Foundation
import Model
import Push
import TestSupport
import Testing
import Upstream

@testable import PushServices
@testable import UpstreamSimulator

@Suite("Messages to browsers", .timeLimit(.minutes(5)))
struct WebPushClientTests {
    @Test("A message reaches the browser with its text, topic, urgency and time to live")
    func delivery() async throws {
        try await PushFixture.run { fixture in
            let (browser, subscription) = try fixture.subscribe()
            let notification = PushNotification(
                title: "Ann", body: "Für lange Abende 🎵", address: "https://music.example.org/threads/1")
            let message = WebPushMessage(
                content: notification.content(), timeToLive: .seconds(600), urgency: .low, topic: PushTopic("a-1"))
            #expect(try await fixture.webPush().send(message, to: subscription) == .accepted)
            let shown = try #require(fixture.present(browser)?.shown)
            #expect(shown.count == 1)
            #expect(shown[0].text == String(decoding: notification.content(), as: UTF8.self))
            #expect(shown[0].topic == "a-1" && shown[0].urgency == "low" && shown[0].ttl == 600)
        }
    }

    @Test("Of messages with one topic, a browser that was offline receives the last; those that are too old expire")
    func topics() async throws {
        try await PushFixture.run { fixture in
            let (browser, subscription) = try fixture.subscribe()
            let client = try fixture.webPush()
            fixture.simulator.push.state.withLock { $0.subscriptions[browser.token]?.disconnect() }
            for (text, topic) in [("1", "a"), ("2", "b"), ("3", "a"), ("4", nil), ("5", nil)] {
                let outcome = try await client.send(
                    fixture.message(text, topic: topic.flatMap { PushTopic($0) }), to: subscription)
                #expect(outcome == .accepted)
            }
            fixture.simulator.push.state.withLock { $0.subscriptions[browser.token]?.connect(at: .now()) }
            let present = try #require(fixture.present(browser))
            #expect(present.shown.map(\.text) == ["2", "3", "4", "5"])
            #expect(present.counts == SimulatedSubscription.Counts(accepted: 5, shown: 4, replaced: 1))
        }
    }

    struct Answer: Sendable {
        var fault: FaultRule.Kind
        var outcome: PushOutcome
    }

    static let answers = [
        Answer(fault: .unknown404, outcome: .gone(.unknown)), Answer(fault: .gone410, outcome: .gone(.unknown)),
        Answer(fault: .otherKey400, outcome: .gone(.otherKey)), Answer(fault: .otherKey403, outcome: .gone(.otherKey)),
        Answer(fault: .unauthorized401, outcome: .refused(PushAnswer(status: 401, code: "109"))),
        Answer(fault: .forbidden403, outcome: .refused(PushAnswer(status: 403, code: "BadJwtToken"))),
        Answer(fault: .tooLarge413, outcome: .tooLarge(PushAnswer(status: 413, code: "104"))),
    ]

    @Test("Each answer of the service has its outcome, and the next message is sent as usual", arguments: answers)
    func answer(example: Answer) async throws {
        try await PushFixture.run { fixture in
            let (browser, subscription) = try fixture.subscribe()
            let client = try fixture.webPush()
            fixture.fail(example.fault, times: 1)
            #expect(try await client.send(fixture.message("1"), to: subscription) == example.outcome)
            #expect(try await client.send(fixture.message("2"), to: subscription) == .accepted)
            #expect(fixture.present(browser)?.shown.map(\.text) == ["2"])
        }
    }

    @Test("A 429 is about one browser: it asks for that time, and other browsers of the service are not paused")
    func tooFrequent() async throws {
        try await PushFixture.run { fixture in
            let (_, subscription) = try fixture.subscribe()
            let client = try fixture.webPush()
            for fault in [FaultRule.Kind.limit429, .limit406] {
                fixture.fail(fault, times: 1, retryAfter: 7_200)
                let sent = Timestamp.now()
                guard case .wait(let until, let answer?) = try await client.send(fixture.message("1"), to: subscription)
                else { throw Unexpected() }
                #expect([429, 406].contains(answer.status) && sent.duration(to: until) >= .seconds(7_200))
                #expect(try await client.send(fixture.message("2"), to: subscription) == .accepted)
            }
        }
    }

    @Test("A service that fails and asks for a pause is not called until then, with at most an hour for unusual hosts")
    func pause() async throws {
        try await PushFixture.run { fixture in
            let (_, subscription) = try fixture.subscribe()
            let client = try fixture.webPush()
            fixture.fail(.status503, times: 1, retryAfter: 86_400)
            guard case .wait(_, let answer?) = try await client.send(fixture.message("1"), to: subscription) else {
                throw Unexpected()
            }
            #expect(answer.status == 503)
            let now = Timestamp.now()
            guard case .wait(let until, nil) = try await client.send(fixture.message("2"), to: subscription) else {
                throw Unexpected()
            }
            #expect(now.duration(to: until) <= PushHosts.longestPause)
            #expect(fixture.simulator.push.recorder.log.entries.count == 1)
        }
    }

    private struct Unexpected: Error {}

    @Test("A service that closes connections, or that cannot be reached, gives no answer")
    func unreachable() async throws {
        try await PushFixture.run { fixture in
            let (_, subscription) = try fixture.subscribe()
            let client = try fixture.webPush()
            fixture.fail(.drop)
            guard case .unreachable = try await client.send(fixture.message("1"), to: subscription) else {
                throw Unexpected()
            }
            // Nothing listens there.
            let keys = subscription.secret.reveal().split(separator: "\n").map { String($0) }
            let closed = try WebPushSubscription(
                endpoint: "http://127.0.0.1:1/push/x", p256dh: keys[1], auth: keys[2],
                simulatedOrigin: "http://127.0.0.1:1")
            guard case .unreachable(let cause) = try await client.send(fixture.message("1"), to: closed) else {
                throw Unexpected()
            }
            #expect(!cause.contains("/push/x"))
        }
    }

    @Test("The service verifies who sends: a subscription for another key is gone, another contact is refused")
    func otherSenders() async throws {
        try await PushFixture.run { fixture in
            let (browser, subscription) = try fixture.subscribe()
            let other = try fixture.webPush(keys: VAPIDKeyPair())
            #expect(try await other.send(fixture.message("1"), to: subscription) == .gone(.otherKey))
            #expect(fixture.present(browser)?.counts == SimulatedSubscription.Counts())
            #expect(try await fixture.webPush().send(fixture.message("2"), to: subscription) == .accepted)
            fixture.simulator.push.state.withLock { $0.subscriptions[browser.token]?.isEnded = true }
            #expect(try await fixture.webPush().send(fixture.message("3"), to: subscription) == .gone(.unknown))
            fixture.simulator.push.reset()
            #expect(try await fixture.webPush().send(fixture.message("4"), to: subscription) == .gone(.unknown))
        }
    }

    @Test("The failures of one host do not stop the messages to others")
    func separateHosts() async throws {
        try await PushFixture.run { fixture in
            try await PushFixture.run { other in
                let hosts = PushHosts.webPush(fixture.runtime)
                let (_, failing) = try fixture.subscribe()
                let (browser, working) = try other.subscribe(at: "localhost")
                fixture.fail(.status500)
                let client = try fixture.webPush(hosts: hosts)
                // The breaker opens for longer each time, until a call does not wait for it.
                var count = 0
                while true {
                    let outcome = try await client.send(fixture.message("x"), to: failing)
                    count += 1
                    if case .wait(_, nil) = outcome { break }
                    guard count < 40 else { throw Unexpected() }
                }
                #expect(fixture.simulator.push.recorder.log.entries.count < count)
                let second = try other.webPush(hosts: hosts)
                #expect(try await second.send(other.message("other"), to: working) == .accepted)
                #expect(other.present(browser)?.shown.map(\.text) == ["other"])
            }
        }
    }

    @Test("10,000 messages of any content and length are opened by the receiving side", arguments: Fuzzing.seeds(1))
    func tenThousandMessages(seed: UInt64) async throws {
        var random = SeededRandom(seed: seed)
        let simulator = PushSimulator()
        let browsers = try simulator.subscribe(PushSimulator.SubscriptionOrder(count: 20)).map { browser in
            let view = PushSimulator.SubscriptionView(browser, origin: "https://push.example.org")
            return (
                browser.decryption,
                try WebPushSubscription(endpoint: view.endpoint, p256dh: view.keys.p256dh, auth: view.keys.auth)
            )
        }
        for number in 0..<10_000 {
            let (decryption, subscription) = browsers[number % browsers.count]
            let length = Int.random(in: 0...WebPushEncryption.longestMessage, using: &random)
            var content = (0..<length).map { _ in UInt8.random(in: .min ... .max, using: &random) }
            // Zeros and delimiters at the end must not be taken for padding.
            if number % 10 == 0 { content += [2, 0, 0].prefix(WebPushEncryption.longestMessage - length) }
            let opened = try decryption.message(in: WebPushEncryption.body(content, for: subscription))
            guard opened == content else {
                Issue.record("message \(number) differs")
                break
            }
        }
    }
}
