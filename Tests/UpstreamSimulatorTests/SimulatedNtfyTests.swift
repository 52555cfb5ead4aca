import Foundation
import Testing

@testable import UpstreamSimulator

@Suite("The simulated ntfy server", .timeLimit(.minutes(5)))
struct SimulatedNtfyTests {
    @Test("Messages arrive as JSON at the root, and as text at a topic")
    func publishing() async throws {
        try await withSimulator { running in
            let json = try await running.send(
                "POST", "/ntfy",
                body:
                    #"{"topic":"a","message":"Hello 🎵","title":"Ann","priority":5,"tags":["guitar"],"click":"https://a.org"}"#
            )
            #expect(json.status == 200 && json.json?["event"] as? String == "message")
            #expect(json.json?["topic"] as? String == "a" && json.json?["id"] is String)
            let text = try await running.send(
                "POST", "/ntfy/b", headers: ["Title: T", "Priority: 1", "Tags: x,y", "Authorization: Bearer tk_demo"],
                body: #"{"topic":"a"}"#)
            #expect(text.status == 200)
            let messages = running.simulator.ntfy.messages()
            #expect(messages.map(\.topic) == ["a", "b"] && messages.map(\.priority) == [5, 1])
            #expect(messages[0].click == "https://a.org" && messages[0].token == nil)
            // JSON at a topic is text.
            #expect(messages[1].message == #"{"topic":"a"}"# && messages[1].token == "tk_demo")
            #expect(messages[1].tags == ["x", "y"] && messages[1].title == "T")
            let list = try await running.send("GET", "/_sim/ntfy/messages?topic=b")
            #expect((try JSONSerialization.jsonObject(with: list.body) as? [Any])?.count == 1)
        }
    }

    @Test("What the real server refuses is refused, with its codes")
    func refusals() async throws {
        try await withSimulator { running in
            func code(_ body: String, headers: [String] = []) async throws -> Int? {
                try await running.send("POST", "/ntfy", headers: headers, body: body).json?["code"] as? Int
            }
            #expect(try await code("no JSON") == 40_024)
            #expect(try await code(#"{"topic":"a b","message":"x"}"#) == 40_009)
            #expect(try await code(#"{"topic":"a","message":"x","priority":6}"#) == 40_007)
            let plain = #"{"topic":"a","message":"x"}"#
            #expect(try await code(plain, headers: ["Authorization: Bearer tk_wrong"]) == 40_101)
            try running.simulator.ntfy.apply(NtfySettings(isPrivate: true))
            #expect(try await code(plain) == 40_301)
            #expect(try await code(plain, headers: ["Authorization: Bearer tk_demo"]) == nil)
            try running.simulator.ntfy.apply(NtfySettings(isPrivate: false, limit: 1))
            _ = try await code(plain)
            #expect(try await code(plain) == 42_901)
            #expect(running.simulator.ntfy.messages().count <= 2)
        }
    }

    @Test("Long texts become attachments, and an empty one is shown as a trigger")
    func limits() async throws {
        try await withSimulator { running in
            let ntfy = running.simulator.ntfy
            _ = try await running.send("POST", "/ntfy/a", body: String(repeating: "x", count: 4_097))
            _ = try await running.send("POST", "/ntfy", body: #"{"topic":"a"}"#)
            #expect(ntfy.messages().map(\.isAttachment) == [true, false])
            #expect(ntfy.messages().last?.message == "triggered")
            #expect(throws: InvalidSetting.self) { try ntfy.apply(NtfySettings(windowMs: 0)) }
            ntfy.reset()
            #expect(ntfy.messages().isEmpty)
        }
    }
}
