import Model
import PermitStorage
import Storage
import TestSupport
import Testing

@testable import Upstream

@Suite("Daily shares of people")
struct CallShareTests {
    private static let day = Duration.seconds(86_400)

    private static func share(of userID: String, _ limit: Int = 2) -> CallShare {
        CallShare(provider: "test", userID: userID, limit: limit)
    }

    /// The outcome of one call for each of these people: `granted`, `waits`, or `-` when the share is used up.
    private static func ask(_ people: [String], of machine: inout PermitMachine) throws -> [String] {
        var calls: [PermitTransaction.Call] = []
        for person in people {
            var call = machine.call(person: person)
            call.share = share(of: person)
            calls.append(call)
        }
        let outcome = try machine.runTransaction(interactive: calls)
        return calls.map { call in
            if outcome.refused[call.id] != nil { return "-" }
            return outcome.grants[call.id] == nil ? "waits" : "granted"
        }
    }

    private static func used(_ userID: String, in machine: PermitMachine) throws -> Int {
        try machine.transaction.permits.usedShare(ofProvider: "test", userID: userID, now: machine.clocks.wallNow)
    }

    @Test("Each grant is counted in its transaction, and a used-up share refuses only its own person")
    func countedGrants() async throws {
        try await PermitMachine.run([]) { machine in
            let first = try Self.ask(["ada", "ada", "bob", "ada"], of: &machine)
            #expect(first == ["granted", "granted", "granted", "-"])
            #expect(try Self.used("ada", in: machine) == 2 && Self.used("bob", in: machine) == 1)
            #expect(try Self.ask(["ada", "bob", "bob"], of: &machine) == ["-", "granted", "-"])
            #expect(try Self.used("ada", in: machine) == 2 && Self.used("bob", in: machine) == 2)
        }
    }

    @Test("A waiting call is counted only when it is granted")
    func waitingCall() async throws {
        try await PermitMachine.run(limit: PermitLimit(requests: 1, window: .seconds(1)), []) { machine in
            let outcomes = try Self.ask(["ada", "ada"], of: &machine)
            #expect(outcomes == ["granted", "waits"])
            #expect(try Self.used("ada", in: machine) == 1)
        }
    }

    @Test("A call that was never sent is no longer counted on the day on which it was counted")
    func unsentCall() async throws {
        try await PermitMachine.run([]) { machine in
            var call = machine.call(person: "ada")
            call.share = Self.share(of: "ada")
            let outcome = try machine.runTransaction(interactive: [call])
            let grant = try #require(outcome.grants[call.id])
            let earlier = machine.clocks.wallNow
            machine.clocks.pass(Self.day)
            #expect(try Self.ask(["ada"], of: &machine) == ["granted"])
            let release = PermitTransaction.Release(
                slot: grant.slot, grantNumber: grant.grantNumber, grantedAt: outcome.at, share: grant.share,
                end: .unused(at: machine.clocks.now))
            _ = try machine.runTransaction(releases: [release])
            #expect(try Self.used("ada", in: machine) == 1)
            let before = try machine.transaction.permits.usedShare(ofProvider: "test", userID: "ada", now: earlier)
            #expect(before == 0)
        }
    }

    @Test("An answered call stays counted, and shares reset at midnight UTC")
    func answeredCall() async throws {
        try await PermitMachine.run([]) { machine in
            for _ in 0..<2 {
                var call = machine.call(person: "ada")
                call.share = Self.share(of: "ada")
                let outcome = try machine.runTransaction(interactive: [call])
                let grant = try #require(outcome.grants[call.id])
                let release = PermitTransaction.Release(
                    slot: grant.slot, grantNumber: grant.grantNumber, grantedAt: outcome.at, share: grant.share,
                    end: .ended(RequestEnd(at: machine.clocks.now)))
                _ = try machine.runTransaction(releases: [release])
            }
            var call = machine.call(person: "ada")
            call.share = Self.share(of: "ada")
            let refused = try machine.runTransaction(interactive: [call]).refused
            let end = try #require(refused[call.id])
            #expect(end.microseconds % Self.day.microseconds == 0)
            machine.clocks.pass(machine.clocks.wallNow.duration(to: end) - .microseconds(1))
            #expect(try Self.ask(["ada"], of: &machine) == ["-"])
            machine.clocks.pass(.microseconds(1))
            #expect(try Self.ask(["ada"], of: &machine) == ["granted"])
            // Counts from past days are deleted.
            let later = PruningTime.unguarded(machine.clocks.wallNow.advanced(by: Self.day))
            #expect(try machine.transaction.permits.pruneShares(at: later, limit: 10) == 1)
        }
    }

    @Test("A queue refuses a call whose share is used up, serves others, and does not count calls without a share")
    func queueRefusesBeyondAShare() async throws {
        let storage = try await TestDatabase()
        defer { storage.close() }
        let queue = PermitQueue(
            key: PermitMachine.key, limit: PermitLimit(requests: 10, window: .seconds(600)),
            database: storage.database, process: "a")
        func acquire(_ person: String, _ limit: Int?) async throws -> Permit {
            try await queue.acquire(
                .interactive, person: person, share: limit.map { Self.share(of: person, $0) },
                totalTimeout: .seconds(5), waitLimit: .seconds(5), deadline: nil)
        }
        func used() async throws -> [String: Int] {
            try await storage.database.read { reader in
                Dictionary(
                    uniqueKeysWithValues: try reader.rows("SELECT user_id, used FROM call_shares").map {
                        (try $0["user_id"] as String, try $0["used"] as Int)
                    })
            }
        }
        let first = try await acquire("ada", 1)
        await #expect(throws: UpstreamError.self) { _ = try await acquire("ada", 1) }
        let bobs = try await acquire("bob", 1)
        _ = try await acquire("cyd", nil)
        #expect(try await used() == ["ada": 1, "bob": 1])
        await queue.returnUnused(first)
        await queue.release(bobs, RequestEnd(at: .now()))
        await queue.waitUntilIdle()
        #expect(try await used() == ["ada": 0, "bob": 1])
        _ = try await acquire("ada", 1)
    }
}
