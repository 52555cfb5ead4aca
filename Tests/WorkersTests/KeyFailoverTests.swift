import Concerts
import Model
import TestSupport
import Testing

@testable import ConcertsWorker

@Suite("The keys of one lookup", .timeLimit(.minutes(5)))
struct KeyFailoverTests {
    private static let exhausted = ProviderFailure(
        .ticketmaster, .quotaExhausted, until: Timestamp(microseconds: 1), message: "")
    private static let refused = ProviderFailure(.ticketmaster, .keyRefused, message: "")

    /// People who wait for a lookup, each with a key such as `ada's`, and the installation's key `ours`.
    private func withKeys(of names: [String], _ body: (LookupFixture) async throws -> Void) async throws {
        try await LookupFixture.run { fixture in
            for name in names {
                try await fixture.add(name)
                try await fixture.enter("\(name)'s", of: name)
                try await fixture.search(name)
            }
            try await body(fixture)
        }
    }

    @Test("A refused or exhausted key is replaced by the next one for the rest of the lookup")
    func nextKey() async throws {
        try await withKeys(of: ["ada", "bob"]) { fixture in
            fixture.answer("ada's") { throw Self.exhausted }
            fixture.refuse("bob's")
            let source = try await fixture.source()
            _ = try await source.find(.eventsByKeyword("x"))
            #expect(fixture.asked.elements == ["ada's", "bob's", "ours"])
            _ = try await source.find(.eventsInCity("x"))
            #expect(fixture.asked.elements.dropFirst(3) == ["ours"])
            // The next lookup begins with the first key again and skips the refused one.
            _ = try await fixture.source().find(.eventsInCity("x"))
            #expect(fixture.asked.elements.dropFirst(4) == ["ada's", "ours"])
        }
    }

    @Test("A key that Ticketmaster does not see is also replaced")
    func unseenKey() async throws {
        try await withKeys(of: ["ada"]) { fixture in
            fixture.answer("ada's") { throw ProviderFailure(.ticketmaster, .credentialMissing, message: "") }
            _ = try await fixture.source().find(.eventsByKeyword("x"))
            #expect(fixture.asked.elements == ["ada's", "ours"])
        }
    }

    @Test("The last key's failure is thrown, and the next call is made with that key again")
    func lastKey() async throws {
        try await withKeys(of: ["ada"]) { fixture in
            fixture.answer("ada's") { throw Self.exhausted }
            fixture.refuse("ours")
            let source = try await fixture.source()
            for _ in 0..<2 {
                await #expect(throws: Self.refused) { try await source.find(.eventsByKeyword("x")) }
            }
            #expect(fixture.asked.elements == ["ada's", "ours", "ours"])
        }
    }

    @Test(
        "A failure that another key would also have replaces no key",
        arguments: [
            ProviderFailure(.ticketmaster, .notReached, message: ""),
            ProviderFailure(.ticketmaster, .serverError, message: ""),
            ProviderFailure(.ticketmaster, .unreadable, message: ""),
            ProviderFailure(.ticketmaster, .rateLimited, message: ""),
        ])
    func otherFailures(failure: ProviderFailure) async throws {
        try await withKeys(of: ["ada"]) { fixture in
            fixture.answer("ada's") { throw failure }
            let source = try await fixture.source()
            for _ in 0..<2 { await #expect(throws: failure) { try await source.find(.eventsByKeyword("x")) } }
            #expect(fixture.asked.elements == ["ada's", "ada's"])
        }
    }

    @Test("A cancelled call replaces no key")
    func cancelledCall() async throws {
        try await withKeys(of: ["ada"]) { fixture in
            fixture.answer("ada's") { throw CancellationError() }
            let source = try await fixture.source()
            await #expect(throws: CancellationError.self) { try await source.find(.eventsByKeyword("x")) }
            #expect(fixture.asked.elements == ["ada's"])
        }
    }

    @Test("Calls that fail at the same time with one key all continue with the next one")
    func simultaneousFailures() async throws {
        try await withKeys(of: ["ada", "bob"]) { fixture in
            let calls = Collector<Void>()
            fixture.answer("ada's") {
                calls.append(())
                await calls.wait(for: 2)
                throw Self.refused
            }
            let source = try await fixture.source()
            async let one = source.find(.eventsByKeyword("x"))
            async let other = source.find(.eventsInCity("x"))
            _ = try await [one, other]
            #expect(fixture.asked.elements.sorted() == ["ada's", "ada's", "bob's", "bob's"])
        }
    }
}
