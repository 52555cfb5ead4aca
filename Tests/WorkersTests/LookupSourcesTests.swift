import Concerts
import Contracts
import Model
import TestSupport
import Testing

@testable import ConcertsWorker

@Suite("Keys and shares of lookups")
struct LookupSourcesTests {
    @Test(
        "Without personal keys a lookup uses the installation's key, or none", arguments: [true, false])
    func installationsKey(hasKey: Bool) async throws {
        try await LookupFixture.run(installationKey: hasKey ? "ours" : nil) { fixture in
            try await fixture.add("ada")
            try await fixture.search("ada")
            try await fixture.lookUp()
            #expect(fixture.asked.elements == [hasKey ? "ours" : "none"])
        }
    }

    @Test("Personal keys are used in the order of waiting, then the installation's")
    func orderOfKeys() async throws {
        try await LookupFixture.run { fixture in
            for name in ["ada", "bob", "cyd", "dan"] { try await fixture.add(name) }
            for name in ["ada", "bob", "dan"] { try await fixture.enter("key-of-\(name)", of: name) }
            // Dan has a key but does not wait.
            for name in ["bob", "cyd", "ada"] { try await fixture.search(name) }
            fixture.refuse("key-of-ada", "key-of-bob")
            try await fixture.lookUp()
            #expect(fixture.asked.elements == ["key-of-bob", "key-of-ada", "ours"])
        }
    }

    @Test("A refresh uses the installation's key and counts for nobody, or for whoever has just begun to watch")
    func refreshes() async throws {
        try await LookupFixture.run(dailyShare: 1) { fixture in
            for name in ["ada", "bob"] { try await fixture.add(name) }
            try await fixture.enter("key-of-ada", of: "ada")
            try await fixture.watch("ada", "bob")
            try await fixture.refresh()
            try await fixture.refresh(for: "bob")
            #expect(fixture.asked.elements == ["ours", "ours"])
            #expect(fixture.people.elements == ["-", "bob"])
            // Bob's share is used up now.
            await #expect(throws: ProviderFailure.self) { try await fixture.refresh(for: "bob") }
        }
    }

    @Test("Without the installation's key, a refresh uses the keys of those who watch")
    func refreshesWithPersonalKeys() async throws {
        try await LookupFixture.run(installationKey: nil) { fixture in
            for name in ["ada", "bob", "cyd"] { try await fixture.add(name) }
            for name in ["ada", "cyd"] { try await fixture.enter("key-of-\(name)", of: name) }
            try await fixture.watch("ada", "bob")
            try await fixture.refresh()
            #expect(fixture.asked.elements == ["key-of-ada"])
        }
    }

    @Test("With a personal key, no call is made without a key")
    func noInstallationKey() async throws {
        try await LookupFixture.run(installationKey: nil) { fixture in
            try await fixture.add("ada")
            try await fixture.enter("key-of-ada", of: "ada")
            try await fixture.search("ada")
            fixture.refuse("key-of-ada")
            await #expect(throws: ProviderFailure(.ticketmaster, .keyRefused, message: "")) {
                try await fixture.lookUp()
            }
            #expect(fixture.asked.elements == ["key-of-ada"])
        }
    }

    @Test("A refused key fails only its owner, who has to enter another; the others continue to wait")
    func refusedKey() async throws {
        try await LookupFixture.run { fixture in
            for name in ["ada", "bob"] {
                try await fixture.add(name)
                try await fixture.enter("key-of-\(name)", of: name)
                try await fixture.search(name)
            }
            fixture.refuse("key-of-ada")
            try await fixture.lookUp()
            #expect(try await fixture.connection(of: "ada") == "needsReconnect keyRefused")
            #expect(try await fixture.connection(of: "bob") == "connected")
            #expect(try await fixture.outcome(of: "ada") == "failed ticketmasterKeyInvalid")
            #expect(try await fixture.outcome(of: "bob") == "waiting")
            // The refusal is stored, so that the key is not used again.
            try await fixture.search("ada")
            try await fixture.lookUp()
            #expect(fixture.asked.elements == ["key-of-ada", "key-of-bob", "key-of-bob"])
            #expect(try await fixture.outcome(of: "ada") == "failed ticketmasterKeyInvalid")
        }
    }

    @Test("Lookups with one key share its calls, set up at the first use")
    func sharedCalls() async throws {
        try await LookupFixture.run { fixture in
            try await fixture.add("ada")
            try await fixture.enter("key-of-ada", of: "ada")
            try await fixture.search("ada")
            try await fixture.lookUp()
            try await fixture.lookUp()
            #expect(fixture.made.elements == ["key-of-ada"])
            #expect(fixture.asked.elements == ["key-of-ada", "key-of-ada"])
            try await fixture.enter("other-key", of: "ada")
            try await fixture.lookUp()
            #expect(fixture.made.elements == ["key-of-ada", "other-key"])
        }
    }

    @Test("A key that the vault cannot open is skipped")
    func unopenedKey() async throws {
        try await LookupFixture.run { fixture in
            for name in ["ada", "bob"] {
                try await fixture.add(name)
                try await fixture.search(name)
            }
            try await fixture.enter("key-of-ada", of: "ada", sealedElsewhere: true)
            try await fixture.enter("key-of-bob", of: "bob")
            try await fixture.lookUp()
            #expect(fixture.asked.elements == ["key-of-bob"])
            #expect(try await fixture.connection(of: "ada") == "connected")
            #expect(try await fixture.outcome(of: "ada") == "waiting")
        }
    }

    @Test("Each call with the installation's key counts for the person who has waited longest and has a share left")
    func sharesOfPeople() async throws {
        try await LookupFixture.run(dailyShare: 2) { fixture in
            for name in ["ada", "bob", "cyd"] { try await fixture.add(name) }
            for name in ["bob", "ada"] { try await fixture.search(name) }
            for _ in 0..<4 { try await fixture.lookUp() }
            #expect(fixture.people.elements == ["bob", "bob", "ada", "ada"])
            // All shares are used up, so no call is made.
            let failure = try await #require(throws: ProviderFailure.self) { try await fixture.lookUp() }
            #expect(failure.kind == .shareUsed && failure.outcome == .notSent && failure.until != nil)
            #expect(fixture.asked.elements.count == 4)
            // Another person who begins to wait has a share left.
            try await fixture.search("cyd")
            try await fixture.lookUp()
            #expect(fixture.people.elements.last == "cyd")
        }
    }

    @Test("A call whose share is used up while it waits counts for the next person")
    func shareLost() async throws {
        try await LookupFixture.run(dailyShare: 1) { fixture in
            for name in ["ada", "bob"] {
                try await fixture.add(name)
                try await fixture.search(name)
            }
            fixture.answer("ours") {
                // The first call, which counts for ada, waits for its permit meanwhile.
                if fixture.people.elements.count == 1 { try await fixture.useUpShare(of: "ada") }
                return nil
            }
            try await fixture.lookUp()
            #expect(fixture.people.elements == ["ada", "bob"])
        }
    }

    @Test("Calls with a personal key count for nobody")
    func ownKey() async throws {
        try await LookupFixture.run(dailyShare: 1) { fixture in
            try await fixture.add("ada")
            try await fixture.search("ada")
            try await fixture.lookUp()
            await #expect(throws: ProviderFailure.self) { try await fixture.lookUp() }
            try await fixture.enter("key-of-ada", of: "ada")
            for _ in 0..<3 { try await fixture.lookUp() }
            #expect(fixture.asked.elements == ["ours"] + Array(repeating: "key-of-ada", count: 3))
            // When her key is refused, her share is still used up.
            fixture.refuse("key-of-ada")
            let failure = try await #require(throws: ProviderFailure.self) { try await fixture.lookUp() }
            #expect(failure.kind == .shareUsed)
        }
    }
}
