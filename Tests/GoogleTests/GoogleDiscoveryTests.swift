import Model
import Synchronization
import Testing

@testable import Google

@Suite("Google's discovery document")
struct GoogleDiscoveryTests {
    /// Google's answer, and the number of calls.
    private final class Source: Sendable {
        struct State {
            var address = "https://accounts.example.com/1"
            var isDown = false
            var calls = 0
            var now = MonotonicInstant(microseconds: 1_000_000_000)
        }
        let state = Mutex(State())

        func discovery() -> GoogleDiscovery {
            GoogleDiscovery(now: { self.state.withLock(\.now) }) {
                try self.state.withLock { state in
                    state.calls += 1
                    if state.isDown { throw GoogleError.upstreamError(status: 503) }
                    return GoogleClient.Endpoints(authorization: state.address, token: "", keys: "")
                }
            }
        }

        func set(_ change: (inout State) -> Void) { state.withLock { change(&$0) } }
        var calls: Int { state.withLock(\.calls) }
    }

    @Test("The document is fetched once an hour, and the old one is used while Google cannot be reached")
    func lifetimeOfTheDocument() async throws {
        let source = Source()
        let discovery = source.discovery()
        source.set { $0.isDown = true }
        await #expect(throws: GoogleError.upstreamError(status: 503)) { try await discovery.endpoints() }
        source.set { $0.isDown = false }
        for _ in 0..<3 { #expect(try await discovery.endpoints().authorization.hasSuffix("/1")) }
        #expect(source.calls == 2)
        source.set { ($0.now, $0.isDown) = ($0.now.advanced(by: GoogleDiscovery.age), true) }
        #expect(try await discovery.endpoints().authorization.hasSuffix("/1"))
        source.set { ($0.address, $0.isDown) = ("https://accounts.example.com/2", false) }
        #expect(try await discovery.endpoints().authorization.hasSuffix("/2"))
        #expect(source.calls == 4)
    }

    @Test("Calls during a fetch share its answer")
    func sharedFetch() async throws {
        let source = Source()
        let discovery = source.discovery()
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<20 { group.addTask { _ = try await discovery.endpoints() } }
            try await group.waitForAll()
        }
        #expect(source.calls == 1)
    }
}
