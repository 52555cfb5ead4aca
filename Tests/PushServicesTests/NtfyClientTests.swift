import Model
import Platform
import Push
import Testing

@testable import PushServices
@testable import UpstreamSimulator

@Suite("Messages to ntfy servers", .timeLimit(.minutes(5)))
struct NtfyClientTests {
    private static let message = NtfyMessage(
        PushNotification(title: "Ann", body: "Hello 🎵", address: "https://music.example.org/threads/1"), priority: 4,
        tags: ["guitar"])

    private struct Unexpected: Error {}

    @Test("A message reaches its topic with title, text, priority, tags and the address that a press opens")
    func delivery() async throws {
        try await PushFixture.run { fixture in
            let client = NtfyClient(hosts: .ntfy(fixture.runtime))
            let target = try fixture.ntfyTarget()
            #expect(try await client.send(Self.message, to: target) == .accepted)
            let messages = fixture.simulator.ntfy.messages(topic: "backline")
            #expect(messages.count == 1 && messages[0].title == "Ann" && messages[0].message == "Hello 🎵")
            #expect(messages[0].priority == 4 && messages[0].tags == ["guitar"] && messages[0].token == nil)
            #expect(messages[0].click == "https://music.example.org/threads/1")
            let long = NtfyMessage(
                PushNotification(title: "Ann", body: String(repeating: "é", count: 9_000), address: "https://a.org/"))
            #expect(try await client.send(long, to: target) == .accepted)
            #expect(fixture.simulator.ntfy.messages().last?.isAttachment == false)
        }
    }

    @Test("A private server accepts its token; without one, or with a wrong one, it refuses the message")
    func tokens() async throws {
        try await PushFixture.run { fixture in
            try fixture.simulator.ntfy.apply(NtfySettings(tokens: ["tk_right"], isPrivate: true))
            let client = NtfyClient(hosts: .ntfy(fixture.runtime))
            #expect(try await client.send(Self.message, to: fixture.ntfyTarget(token: "tk_right")) == .accepted)
            #expect(fixture.simulator.ntfy.messages().map(\.token) == ["tk_right"])
            #expect(
                try await client.send(Self.message, to: fixture.ntfyTarget(token: "tk_wrong"))
                    == .refused(PushAnswer(status: 401, code: "40101")))
            #expect(
                try await client.send(Self.message, to: fixture.ntfyTarget())
                    == .refused(PushAnswer(status: 403, code: "40301")))
        }
    }

    @Test("The answers of the server have their outcomes")
    func answers() async throws {
        try await PushFixture.run { fixture in
            let client = NtfyClient(hosts: .ntfy(fixture.runtime))
            func outcome(_ fault: FaultRule.Kind, retryAfter: Int? = nil) async throws -> PushOutcome {
                fixture.simulator.ntfy.recorder.add([FaultRule(fault: fault, times: 1, retryAfter: retryAfter)])
                return try await client.send(Self.message, to: fixture.ntfyTarget())
            }
            #expect(try await outcome(.tooLarge413) == .tooLarge(PushAnswer(status: 413, code: "41303")))
            let now = Timestamp.now()
            guard case .wait(let until, let answer?) = try await outcome(.quota429) else { throw Unexpected() }
            #expect(answer.code == "42908" && now.duration(to: until) >= .seconds(3_600))
            guard case .wait(let soon, _) = try await outcome(.limit429, retryAfter: 5) else { throw Unexpected() }
            #expect(now.duration(to: soon) >= .seconds(5))
            guard case .unreachable = try await outcome(.drop) else { throw Unexpected() }
            #expect(fixture.simulator.ntfy.messages().isEmpty)
            #expect(try await client.send(Self.message, to: fixture.ntfyTarget()) == .accepted)
        }
    }

    @Test("Connections are made only to the addresses that the administrator allows, whatever the name of the server")
    func allowedAddresses() async throws {
        try await PushFixture.run { fixture in
            let client = NtfyClient(hosts: .ntfy(fixture.runtime))
            let elsewhere = ["10.0.0.0/8"].compactMap { AddressRange($0) }
            let target = try fixture.ntfyTarget(at: "localhost", exceptions: elsewhere)
            guard case .unreachable(let cause) = try await client.send(Self.message, to: target) else {
                throw Unexpected()
            }
            #expect(cause.contains("the administrator has not allowed"))
            // Not even over a connection that another request has made.
            #expect(try await client.send(Self.message, to: fixture.ntfyTarget(at: "localhost")) == .accepted)
            guard case .unreachable = try await client.send(Self.message, to: target) else { throw Unexpected() }
            #expect(fixture.simulator.ntfy.messages().count == 1)
        }
    }
}
