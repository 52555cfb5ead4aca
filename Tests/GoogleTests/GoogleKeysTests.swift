import JWTKit
import Model
import Synchronization
import Testing

@testable import Google

@Suite("Google's keys")
struct GoogleKeysTests {
    /// Google's answer, and the number of calls.
    private final class Source: Sendable {
        struct State {
            var keys: Set<String> = ["k1"]
            var isDown = false
            var calls = 0
            var now = MonotonicInstant(microseconds: 1_000_000_000)
        }
        let state = Mutex(State())

        func cache() -> GoogleKeys {
            GoogleKeys(now: { self.state.withLock(\.now) }) {
                try self.state.withLock { state in
                    state.calls += 1
                    if state.isDown { throw GoogleError.upstreamError(status: 503) }
                    let keys = state.keys.map { ($0, JWK.rsa(.rs256, identifier: nil, modulus: $0, exponent: "AQAB")) }
                    return .init(keys: Dictionary(uniqueKeysWithValues: keys), maximumAge: .seconds(600))
                }
            }
        }

        func pass(_ duration: Duration) { state.withLock { $0.now = $0.now.advanced(by: duration) } }
        func set(_ change: (inout State) -> Void) { state.withLock { change(&$0) } }
        var calls: Int { state.withLock(\.calls) }
    }

    @Test("Keys are cached for as long as Google says, and then fetched once")
    func lifetimeOfKeys() async throws {
        let source = Source()
        let keys = source.cache()
        for _ in 0..<3 { #expect(try await keys.key(id: "k1") != nil) }
        source.pass(.seconds(599))
        #expect(try await keys.key(id: "k1") != nil)
        #expect(source.calls == 1)
        source.pass(.seconds(2))
        #expect(try await keys.key(id: "k1") != nil)
        #expect(source.calls == 2)
    }

    @Test("An unknown key id causes a fetch at most once a minute, and the key is found once Google publishes it")
    func unknownKeyID() async throws {
        let source = Source()
        let keys = source.cache()
        #expect(try await keys.key(id: "k1") != nil)
        for index in 0..<100 { #expect(try await keys.key(id: "invented-\(index)") == nil) }
        #expect(source.calls == 1)
        source.set { $0.keys = ["k2"] }
        source.pass(GoogleKeys.refetchInterval)
        #expect(try await keys.key(id: "k2") != nil)
        #expect(try await keys.key(id: "k1") == nil)
        #expect(source.calls == 2)
    }

    @Test("Old keys are used while Google cannot be reached, which is retried once a minute")
    func unreachableGoogle() async throws {
        let source = Source()
        let keys = source.cache()
        #expect(try await keys.key(id: "k1") != nil)
        source.set { $0.isDown = true }
        source.pass(.seconds(3_600))
        for _ in 0..<3 { #expect(try await keys.key(id: "k1") != nil) }
        #expect(source.calls == 2)
    }

    @Test("Without any keys, the error of the fetch is thrown")
    func missingKeys() async throws {
        let source = Source()
        source.set { $0.isDown = true }
        let keys = source.cache()
        await #expect(throws: GoogleError.upstreamError(status: 503)) { try await keys.key(id: "k1") }
        source.set { $0.isDown = false }
        #expect(try await keys.key(id: "k1") != nil)
    }
}
