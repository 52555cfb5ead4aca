import Concerts
import Contracts
import Model
import TestSupport
import Testing

@testable import Workers

@Suite("Whom lookups ask Ticketmaster as")
struct LookupSourcesTests {
    @Test(
        "When nobody who waits has a key, the installation's is asked with, if there is one", arguments: [true, false])
    func installation(hasKey: Bool) async throws {
        try await LookupBench.run(installationKey: hasKey ? "ours" : nil) { bench in
            try await bench.add("ada")
            try await bench.search("ada")
            try await bench.lookUp()
            #expect(bench.asked.elements == [hasKey ? "ours" : "none"])
        }
    }

    @Test("Those who wait are asked as in the order in which they came, and then the installation")
    func order() async throws {
        try await LookupBench.run { bench in
            for name in ["ada", "bob", "cyd", "dan"] { try await bench.add(name) }
            for name in ["ada", "bob", "dan"] { try await bench.enter("key-of-\(name)", of: name) }
            // Nobody is asked as who does not wait.
            for name in ["bob", "cyd", "ada"] { try await bench.search(name) }
            bench.refuse("key-of-ada", "key-of-bob")
            try await bench.lookUp()
            #expect(bench.asked.elements == ["key-of-bob", "key-of-ada", "ours"])
        }
    }

    @Test("Where somebody who waits has a key, nobody is asked without one")
    func noInstallationKey() async throws {
        try await LookupBench.run(installationKey: nil) { bench in
            try await bench.add("ada")
            try await bench.enter("key-of-ada", of: "ada")
            try await bench.search("ada")
            bench.refuse("key-of-ada")
            await #expect(throws: ProviderFailure(.ticketmaster, .keyRefused, message: "")) { try await bench.lookUp() }
            #expect(bench.asked.elements == ["key-of-ada"])
        }
    }

    @Test("Whose key is refused fails alone, and has to enter another; the others go on waiting for the answer")
    func refused() async throws {
        try await LookupBench.run { bench in
            for name in ["ada", "bob"] {
                try await bench.add(name)
                try await bench.enter("key-of-\(name)", of: name)
                try await bench.search(name)
            }
            bench.refuse("key-of-ada")
            try await bench.lookUp()
            #expect(try await bench.connection(of: "ada") == "needsReconnect keyRefused")
            #expect(try await bench.connection(of: "bob") == "connected")
            #expect(try await bench.outcome(of: "ada") == "failed ticketmasterKeyInvalid")
            #expect(try await bench.outcome(of: "bob") == "waiting")
            // It is known from then on, and nobody asks with the key again.
            try await bench.search("ada")
            try await bench.lookUp()
            #expect(bench.asked.elements == ["key-of-ada", "key-of-bob", "key-of-bob"])
            #expect(try await bench.outcome(of: "ada") == "failed ticketmasterKeyInvalid")
        }
    }

    @Test("Lookups with one key share its source, which is made when it is first needed")
    func shared() async throws {
        try await LookupBench.run { bench in
            try await bench.add("ada")
            try await bench.enter("key-of-ada", of: "ada")
            try await bench.search("ada")
            try await bench.lookUp()
            try await bench.lookUp()
            #expect(bench.made.elements == ["key-of-ada"])
            #expect(bench.asked.elements == ["key-of-ada", "key-of-ada"])
            try await bench.enter("other-key", of: "ada")
            try await bench.lookUp()
            #expect(bench.made.elements == ["key-of-ada", "other-key"])
        }
    }

    @Test("A key that the vault does not open is passed over")
    func sealed() async throws {
        try await LookupBench.run { bench in
            for name in ["ada", "bob"] {
                try await bench.add(name)
                try await bench.search(name)
            }
            try await bench.enter("key-of-ada", of: "ada", sealedElsewhere: true)
            try await bench.enter("key-of-bob", of: "bob")
            try await bench.lookUp()
            #expect(bench.asked.elements == ["key-of-bob"])
            #expect(try await bench.connection(of: "ada") == "connected")
            #expect(try await bench.outcome(of: "ada") == "waiting")
        }
    }

    @Test("With the installation's key each call counts for who has waited longest, until their share is used up")
    func share() async throws {
        try await LookupBench.run(dailyShare: 2) { bench in
            for name in ["ada", "bob", "cyd"] { try await bench.add(name) }
            for name in ["bob", "ada"] { try await bench.search(name) }
            for _ in 0..<4 { try await bench.lookUp() }
            #expect(bench.people.elements == ["bob", "bob", "ada", "ada"])
            // Nobody has anything left, so nobody is asked.
            let failure = try await #require(throws: ProviderFailure.self) { try await bench.lookUp() }
            #expect(failure.kind == .shareUsed && failure.outcome == .notSent && failure.until != nil)
            #expect(bench.asked.elements.count == 4)
            // Somebody who comes to wait has.
            try await bench.search("cyd")
            try await bench.lookUp()
            #expect(bench.people.elements.last == "cyd")
        }
    }

    @Test("A share that is used up while a call waits moves the call on to whoever waits next")
    func shareLost() async throws {
        try await LookupBench.run(dailyShare: 1) { bench in
            for name in ["ada", "bob"] {
                try await bench.add(name)
                try await bench.search(name)
            }
            // Both calls begin as ada's; one of them is refused.
            async let first: Void = bench.lookUp()
            async let second: Void = bench.lookUp()
            _ = try await (first, second)
            #expect(Set(bench.people.elements) == ["ada", "bob"])
            #expect(bench.people.elements.count { $0 == "bob" } == 1)
        }
    }

    @Test("Calls with somebody's own key count for nobody")
    func ownKey() async throws {
        try await LookupBench.run(dailyShare: 1) { bench in
            try await bench.add("ada")
            try await bench.search("ada")
            try await bench.lookUp()
            await #expect(throws: ProviderFailure.self) { try await bench.lookUp() }
            try await bench.enter("key-of-ada", of: "ada")
            for _ in 0..<3 { try await bench.lookUp() }
            #expect(bench.asked.elements == ["ours"] + Array(repeating: "key-of-ada", count: 3))
            // When it is refused, hers is used up all the same.
            bench.refuse("key-of-ada")
            let failure = try await #require(throws: ProviderFailure.self) { try await bench.lookUp() }
            #expect(failure.kind == .shareUsed)
        }
    }
}
