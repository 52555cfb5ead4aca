import Model
import PermitStorage
import Storage
import Testing

@testable import Upstream

@Suite("Calls with a paused key", .timeLimit(.minutes(5)))
struct PausedCallTests {
    @Test("Retry-After pauses the whole key; the call continues afterwards")
    func retryAfter() async throws {
        try await CallFixture.run(handler: CallFixture.statuses(429, 200, headers: ["Retry-After": "1"])) { fixture in
            try await fixture.expectStatus(200)
            let times = fixture.server.received.map(\.arrivedAt)
            #expect(times.count == 2 && times[0].duration(to: times[1]) > .seconds(1))
        }
    }

    @Test("A pause that outlasts the wait limit fails the call, and later ones, with the time at which it ends")
    func longPause() async throws {
        try await CallFixture.run(handler: CallFixture.statuses(503, headers: ["Retry-After": "600"])) { fixture in
            for _ in 0..<2 {
                let error = await #expect(throws: UpstreamError.self) {
                    try await fixture.client.send(UpstreamRequest(path: "/"))
                }
                guard case .paused(let until, .requested) = error else {
                    Issue.record("expected a pause, got \(String(describing: error))")
                    continue
                }
                #expect(until > Timestamp.now().advanced(by: .seconds(300)))
            }
            #expect(fixture.server.received.count == 1)
        }
    }

    @Test("A POST answered with 5xx returns that answer, whatever Retry-After says")
    func pauseAfterUnsafe() async throws {
        try await CallFixture.run(handler: CallFixture.statuses(503, headers: ["Retry-After": "600"])) { fixture in
            try await fixture.expectStatus(503, .post)
            // The key is paused as well.
            await #expect(throws: UpstreamError.self) { try await fixture.client.send(UpstreamRequest(path: "/")) }
            #expect(fixture.server.received.count == 1)
        }
        // A request that was answered with 429 was not processed.
        try await CallFixture.run(handler: CallFixture.statuses(429, headers: ["Retry-After": "600"])) { fixture in
            await #expect(throws: UpstreamError.self) {
                try await fixture.client.send(UpstreamRequest(method: .post, path: "/"))
            }
        }
    }

    @Test("A used-up quota fails the call with the reset time")
    func usedUpQuota() async throws {
        let reset = Timestamp.now().advanced(by: .seconds(4_000))
        try await CallFixture.run(classify: { _ in .pauseKey(until: reset) }, handler: CallFixture.statuses(429)) {
            fixture in
            let error = await #expect(throws: UpstreamError.self) {
                try await fixture.client.send(UpstreamRequest(path: "/"))
            }
            guard case .paused(let until, .quotaExhausted) = error else {
                Issue.record("expected a used-up quota, got \(String(describing: error))")
                return
            }
            // The two values come from two clocks, read one after the other.
            #expect(abs(until.duration(to: reset).microseconds) < 60_000_000)
            let status = try await fixture.database.read { try $0.permits.permitStatus() }
            #expect(status.first?.pause?.reason == "quotaExhausted")
        }
    }
}
