import Model
import PermitStorage
import Storage
import TestSupport
import Testing

@testable import Upstream

@Suite("Permits by person and urgency", .timeLimit(.minutes(5)))
struct PermitFairnessTests {
    private let key = PermitKey(provider: "test", credential: Secret("key"))

    @Test("Within a process, many calls of one person do not delay another person's")
    func withinProcess() async throws {
        let storage = try await TestDatabase()
        defer { storage.close() }
        let queue = PermitQueue(
            key: key, limit: PermitLimit(requests: 1, window: .milliseconds(5)), database: storage.database,
            process: "a")
        let held = try await queue.acquire(
            .interactive, person: "ada", totalTimeout: .seconds(600), waitLimit: .zero, deadline: nil)
        let order = AsyncStream<String>.makeStream()
        try await withThrowingTaskGroup(of: Void.self) { group in
            func start(_ person: String, count: Int) async throws {
                let waiting = try await waiting(storage.database)
                for _ in 0..<count {
                    group.addTask {
                        let permit = try await queue.acquire(
                            .interactive, person: person, totalTimeout: .seconds(600), waitLimit: .zero, deadline: nil)
                        order.continuation.yield(person)
                        await queue.release(permit, RequestEnd(at: .now()))
                    }
                }
                while try await self.waiting(storage.database) < waiting + count { await Task.yield() }
            }
            try await start("ada", count: 20)
            try await start("ben", count: 2)
            await queue.release(held, RequestEnd(at: .now()))
            try await group.waitForAll()
        }
        order.continuation.finish()
        let served = await order.stream.reduce(into: []) { $0.append($1) }
        #expect(served.count == 22)
        #expect(served.prefix(4).count { $0 == "ben" } == 2, "\(served)")
    }

    private func waiting(_ database: Database) async throws -> Int {
        try await database.read { try $0.permits.permitStatus() }.first?.waiting ?? 0
    }

    @Test("A whole call waits under its request's person")
    func wholeCalls() async throws {
        let people = ["ada", "ada", "ada", "ada", "ben"]
        let paths = try await CallFixture.arrivals(of: people.map { UpstreamRequest(path: "/\($0)", person: $0) })
        // The second one; the third if a permit was returned unused, for lack of a connection within its second.
        #expect(paths.prefix(3).contains("/ben"), "\(paths)")
    }

    @Test("A process leaves a slot to a person who is first in another process that is about to look")
    func acrossProcesses() async throws {
        try await PermitMachine.run(limit: PermitLimit(requests: 1, window: .seconds(1)), []) {
            (machine: inout PermitMachine) throws in
            let here = (0..<5).map { _ in machine.call(person: "ada") }
            let there = machine.call(person: "ben")
            func end(_ call: PermitTransaction.Call, of outcome: PermitTransaction.Outcome, in process: String) throws {
                let granted = try #require(outcome.grants[call.id])
                let grant = PermitMachine.Grant(
                    slot: granted.slot, grantNumber: granted.grantNumber, at: outcome.at)
                let left = process == "a" ? Array(here.drop { $0.id <= call.id }) : []
                _ = try machine.runTransaction(
                    interactive: left, releases: [grant.release(.ended(RequestEnd(at: machine.clocks.now)))],
                    process: process)
                machine.clocks.pass(.seconds(1) + .microseconds(1))
            }
            let first = try machine.runTransaction(interactive: here, process: "a")
            #expect(try machine.runTransaction(interactive: [there], process: "b").grants.isEmpty)
            // Both processes look when the slot is free. Neither person has been served, so the process that looks
            // first gets the slot.
            machine.clocks.pass(.milliseconds(10))
            let released = machine.clocks.now
            try end(here[0], of: first, in: "a")
            machine.clocks.now = released
            #expect(try machine.runTransaction(interactive: [there], process: "b").grants.isEmpty)
            machine.clocks.pass(.seconds(1) + .microseconds(1))
            let second = try machine.runTransaction(interactive: Array(here.dropFirst()), process: "a")
            #expect(second.grants[here[1].id] != nil)
            // Now the other person is first, even though this process looks first.
            let again = machine.clocks.now
            try end(here[1], of: second, in: "a")
            machine.clocks.now = again
            #expect(try machine.runTransaction(interactive: [there], process: "b").grants.isEmpty)
            machine.clocks.pass(.seconds(1) + .microseconds(1))
            let third = try machine.runTransaction(interactive: Array(here.dropFirst(2)), process: "a")
            #expect(third.grants.isEmpty)
            #expect(third.nextLook == machine.clocks.now.advanced(by: PermitPlan.yieldedSlotRetry + .microseconds(1)))
            #expect(try machine.runTransaction(interactive: [there], process: "b").grants.count == 1)
        }
    }

    @Test("No slot is left to a process that misses its look")
    func silentProcess() async throws {
        try await PermitMachine.run(limit: PermitLimit(requests: 1, window: .seconds(1)), []) {
            (machine: inout PermitMachine) throws in
            let grant = try #require(try machine.take())
            try machine.transaction.permits.recordPermitsServed(
                of: PermitMachine.key.description, urgency: 1, people: ["ada"], boot: machine.clocks.boot,
                now: machine.clocks.now)
            try machine.end(grant)
            let there = machine.call(person: "ben")
            let look = try #require(try machine.runTransaction(interactive: [there], process: "b").nextLook)
            let here = machine.call(person: "ada")
            machine.clocks.now = look
            #expect(try machine.runTransaction(interactive: [here], process: "a").grants.isEmpty)
            machine.clocks.pass(PermitTransaction.lookMargin + .microseconds(1))
            #expect(try machine.runTransaction(interactive: [here], process: "a").grants.count == 1)
        }
    }

    /// The effect of a sync on a search (`docs/permits.md`).
    @Test("Among endless background calls, an interactive call waits for one interval at most")
    func interactiveBesideBackground() async throws {
        let limit = PermitLimit(requests: 90, window: .seconds(30))
        let interval = BackgroundSpacing(limit).interval(after: 1)
        try await PermitMachine.run(limit: limit, []) { (machine: inout PermitMachine) throws in
            var sync = OpenRequests()
            var searches = OpenRequests()
            // Two windows with only a sync; then searches use the slots reserved for them, and more.
            var longest = Duration.zero
            var waitingSince: MonotonicInstant?
            for step in 0..<1_800 {
                let now = machine.clocks.now
                let releases = sync.releases(at: now) + searches.releases(at: now)
                let isSearching = step >= 1_200
                let search = machine.call(timeout: .seconds(10))
                let patient = machine.call(timeout: .seconds(10))
                let outcome = try machine.runTransaction(
                    interactive: isSearching ? [search] : [], background: [patient], releases: releases)
                sync.begin(patient, outcome)
                if isSearching {
                    let since = waitingSince ?? now
                    waitingSince = since
                    longest = max(longest, since.duration(to: now))
                    if outcome.grants[search.id] != nil { waitingSince = nil }
                    searches.begin(search, outcome)
                }
                machine.clocks.pass(.milliseconds(50))
                if step == 1_199 {
                    // All slots but the reserved quarter, each for the time of an answer and a window.
                    #expect((60...67).contains(sync.begun / 2))
                }
            }
            #expect(searches.begun >= InteractiveReserve.of(90))
            #expect(longest <= interval + .milliseconds(100), "\(longest)")
        }
    }

    @Test("A whole call waits in its request's class")
    func classOfARequest() async throws {
        let paths = try await CallFixture.arrivals(of: [
            UpstreamRequest(path: "/background", urgency: .background),
            // Two: the permit of one may be returned unused, for lack of a connection within its second.
            UpstreamRequest(path: "/interactive"),
            UpstreamRequest(path: "/interactive"),
        ])
        #expect(paths.first == "/interactive", "\(paths)")
    }

    /// Requests that are answered after 0.1 seconds.
    private struct OpenRequests {
        private var under: [(grant: PermitMachine.Grant, answeredAt: MonotonicInstant)] = []
        private(set) var begun = 0

        mutating func begin(_ call: PermitTransaction.Call, _ outcome: PermitTransaction.Outcome) {
            guard let granted = outcome.grants[call.id] else { return }
            begun += 1
            let grant = PermitMachine.Grant(slot: granted.slot, grantNumber: granted.grantNumber, at: outcome.at)
            under.append((grant, outcome.at.advanced(by: .milliseconds(100))))
        }

        mutating func releases(at now: MonotonicInstant) -> [PermitTransaction.Release] {
            let ended = under.filter { $0.answeredAt <= now }
            under.removeAll { $0.answeredAt <= now }
            return ended.map { $0.grant.release(.ended(RequestEnd(at: $0.answeredAt))) }
        }
    }
}
