import Foundation
import Model
import TestSupport
import Testing

@testable import Push

@Suite("What a person is shown")
struct PushNotificationTests {
    private let notification = PushNotification(
        title: "Ann", body: "For long evenings 🎵", address: "https://music.example.org/threads/1", tag: "thread-1",
        language: "en")

    private func json(_ bytes: [UInt8]) throws -> [String: Any] {
        try #require(try JSONSerialization.jsonObject(with: Data(bytes)) as? [String: Any])
    }

    private func shown(_ bytes: [UInt8]) throws -> [String: Any] {
        try #require(try json(bytes)["notification"] as? [String: Any])
    }

    @Test("The content is a declarative push message")
    func declarativeMessage() throws {
        let content = notification.content()
        #expect(try json(content)["web_push"] as? Int == 8_030)
        let shown = try shown(content)
        #expect(shown["title"] as? String == "Ann" && shown["body"] as? String == "For long evenings 🎵")
        #expect(shown["navigate"] as? String == "https://music.example.org/threads/1")
        #expect(shown["tag"] as? String == "thread-1" && shown["lang"] as? String == "en")
        #expect(shown["silent"] == nil)
        let silent = PushNotification(title: "A", address: "https://a.org/", isSilent: true)
        #expect(try self.shown(silent.content())["silent"] as? Bool == true)
        #expect(try self.shown(silent.content())["body"] == nil)
    }

    @Test("A body is shortened at a character, as little as necessary, whatever it consists of")
    func shortenedBody() throws {
        for unit in ["a", "é", "日", "👩‍👩‍👧", "\"", "\\", "\n", "\u{1}"] {
            let body = String(repeating: unit, count: 3_000)
            let long = PushNotification(title: "Ann", body: body, address: "https://a.org/x", tag: "t")
            for limit in [WebPushEncryption.longestMessage, 1_000, 250] {
                let content = long.content(atMost: limit)
                #expect(content.count <= limit && content.count > limit - 60, "\(unit) \(limit) \(content.count)")
                let text = try #require(try shown(content)["body"] as? String)
                #expect(text.hasSuffix("…") && body.hasPrefix(text.dropLast()))
            }
        }
    }

    @Test("If the title is too long by itself, there is no body, and the title is shortened")
    func shortenedTitle() throws {
        let long = PushNotification(
            title: String(repeating: "t", count: 5_000), body: "b", address: "https://a.org/x", tag: "t")
        let content = long.content()
        #expect(content.count <= WebPushEncryption.longestMessage)
        let shown = try shown(content)
        #expect(shown["body"] == nil && (shown["title"] as? String)?.hasSuffix("t…") == true)
    }

    @Test("Any texts fit, and are valid JSON", arguments: Fuzzing.seeds())
    func anyTexts(seed: UInt64) throws {
        var random = SeededRandom(seed: seed)
        for _ in 0..<200 {
            let any = PushNotification(
                title: random.text(upTo: 200), body: random.text(upTo: 4_000), address: "https://a.org/x",
                tag: random.text(upTo: 20))
            let limit = Int.random(in: 600...WebPushEncryption.longestMessage, using: &random)
            let content = any.content(atMost: limit)
            #expect(content.count <= limit && !content.isEmpty)
            #expect(try shown(content)["tag"] as? String == any.tag)
        }
    }

    @Test("Texts are cut between characters, and an ellipsis says so")
    func cutTexts() {
        #expect("abcdef".shortened(toBytes: 6) == "abcdef")
        #expect("abcdef".shortened(toBytes: 5) == "ab…")
        #expect("äöüäöü".shortened(toBytes: 8) == "äö…")
        #expect("👩‍👩‍👧👩‍👩‍👧".shortened(toBytes: 21) == "👩‍👩‍👧…")
        #expect("abcdef".shortened(toBytes: 3) == "…")
        #expect("abcdef".shortened(toBytes: 2) == "" && "".shortened(toBytes: 0) == "")
    }

    @Test("A topic has at most 32 letters, digits and hyphens; that of a group differs by receiver")
    func topics() throws {
        let tooLong = String(repeating: "a", count: 33)
        for text in ["", "a_b", "a b", "a.b", "é", tooLong] { #expect(PushTopic(text) == nil) }
        #expect(PushTopic(String(repeating: "a", count: 32)) != nil && PushTopic("A-9")?.description == "A-9")
        let topic = PushTopic(group: "message thread 7", receiver: "target-1")
        #expect(PushTopic(topic.description) == topic && topic.description.utf8.count == 32)
        #expect(topic == PushTopic(group: "message thread 7", receiver: "target-1"))
        #expect(topic != PushTopic(group: "message thread 7", receiver: "target-2"))
        #expect(topic != PushTopic(group: "message thread 8", receiver: "target-1"))
    }

    @Test("A message has the header fields of RFC 8030, with a time to live that every service accepts")
    func headerFields() {
        func fields(_ time: Duration, _ topic: PushTopic? = nil) -> [String: String] {
            let message = WebPushMessage(content: [], timeToLive: time, urgency: .veryLow, topic: topic)
            return Dictionary(uniqueKeysWithValues: message.headers.map { ($0.name, $0.value) })
        }
        let plain = [
            "Content-Type": "application/octet-stream", "Content-Encoding": "aes128gcm", "TTL": "3600",
            "Urgency": "very-low",
        ]
        #expect(fields(.seconds(3_600)) == plain)
        #expect(fields(.seconds(3_600), PushTopic("a"))["Topic"] == "a")
        #expect(fields(.zero)["TTL"] == "60" && fields(.seconds(1e12))["TTL"] == "2419200")
    }
}
