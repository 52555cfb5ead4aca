import Model
import Storage
import TestSupport
import Testing

@testable import Upstream

@Suite("Daily quotas across restarts and clock changes", .timeLimit(.minutes(5)))
struct LongQuotaTests {
    private static let day = PermitQuota(
        name: "day", unit: .requests, amount: 5, window: .seconds(86_400), endsAtReset: true)

    private func run(_ body: @escaping @Sendable (inout PermitMachine) throws -> Void) async throws {
        try await PermitMachine.run([Self.day], body: body)
    }

    @Test("Setting the wall clock does not change the window")
    func wallClock() async throws {
        try await run { (machine: inout PermitMachine) throws in
            #expect(try machine.drain() == 5)
            let last = machine.clocks.now
            machine.clocks.wallNow = machine.clocks.wallNow.advanced(by: .hours(30))
            #expect(try machine.drain() == 0)
            machine.clocks.wallNow = machine.clocks.wallNow.advanced(by: .hours(-100))
            #expect(try machine.drain() == 0)
            machine.clocks.pass(machine.clocks.now.duration(to: last.advanced(by: .hours(24))))
            #expect(try machine.drain() == 5)
        }
    }

    @Test("The window continues after a restart, using the wall clock once the machine has been up for an hour")
    func restartOfTheMachine() async throws {
        try await run { (machine: inout PermitMachine) throws in
            #expect(try machine.drain() == 5)
            machine.clocks.pass(.hours(10))
            _ = try machine.runTransaction()
            try machine.restart(after: .hours(13), boot: "second boot")
            #expect(try machine.used("day") == 5)
            #expect(try machine.drain() == 0)
            // 23 hours and 59 minutes have passed, and then 24.
            machine.clocks.pass(.seconds(58 * 60))
            #expect(try machine.drain() == 0)
            machine.clocks.pass(.seconds(120))
            #expect(try machine.drain() == 5)
        }
    }

    @Test("Repeated restarts neither restart nor shorten the window")
    func repeatedRestarts() async throws {
        try await run { (machine: inout PermitMachine) throws in
            #expect(try machine.drain() == 5)
            for number in 1...11 {
                machine.clocks.pass(.hours(1))
                _ = try machine.runTransaction()
                try machine.restart(after: .seconds(60), boot: "boot \(number)", sinceStart: .hours(1))
                #expect(try machine.drain() == 0)
            }
            machine.clocks.pass(.hours(2))
            #expect(try machine.drain() == 5)
        }
    }

    @Test("After a restart, a wall clock that is ahead frees nothing early; one that is behind adds no window")
    func wrongClockAtStart() async throws {
        try await run { (machine: inout PermitMachine) throws in
            #expect(try machine.drain() == 5)
            var ahead = machine
            try ahead.restart(after: .hours(100), boot: "second boot")
            #expect(try ahead.drain() == 0)
            // The clock is corrected within the hour.
            ahead.clocks.wallNow = machine.clocks.wallNow.advanced(by: .seconds(120))
            ahead.clocks.pass(.hours(2))
            #expect(try ahead.drain() == 0)

            var back = machine
            try back.restart(after: .hours(-1_000), boot: "third boot")
            back.clocks.pass(.hours(24) + .seconds(1))
            #expect(try back.drain() == 5)
        }
    }

    @Test("The wall clock of a boot that ended within its first hour is not trusted")
    func wrongClockBeforeRestart() async throws {
        try await run { (machine: inout PermitMachine) throws in
            try machine.restart(after: .seconds(60), boot: "second boot")
            machine.clocks.wallNow = machine.clocks.wallNow.advanced(by: .hours(-20))
            #expect(try machine.drain() == 5)
            try machine.restart(after: .seconds(60), boot: "third boot")
            machine.clocks.wallNow = machine.clocks.wallNow.advanced(by: .hours(20))
            machine.clocks.pass(.hours(23))
            #expect(try machine.drain() == 0)
            machine.clocks.pass(.hours(1))
            #expect(try machine.drain() == 5)
        }
    }

    @Test("Pruning joins the clocks of earlier boots: setting the wall clock afterwards changes nothing")
    func prunedFirst() async throws {
        try await run { (machine: inout PermitMachine) throws in
            #expect(try machine.drain() == 5)
            try machine.restart(after: .seconds(60), boot: "second boot")
            machine.clocks.pass(.hours(1))
            #expect(try machine.prune() == 0)
            machine.clocks.wallNow = machine.clocks.wallNow.advanced(by: .hours(30))
            #expect(try machine.drain() == 0)
        }
    }

    @Test("An announced reset expires the requests counted so far, but none that may count after it")
    func announcedReset() async throws {
        try await run { (machine: inout PermitMachine) throws in
            let earlier = try #require(try machine.take())
            try machine.end(earlier)
            let slow = try #require(try machine.take())
            let overlapping = try #require(try machine.take())
            let quick = try #require(try machine.take())
            // Both requests may have arrived after the quick one, whose answer announces the reset.
            machine.clocks.pass(.seconds(1))
            try machine.end(overlapping)
            machine.clocks.pass(.seconds(1))
            try machine.end(quick, reset: .hours(3))
            machine.clocks.pass(.seconds(1))
            try machine.end(slow)
            #expect(try machine.used("day") == 4)
            machine.clocks.pass(.hours(3))
            #expect(try machine.used("day") == 2)
            #expect(try machine.drain() == 3)
        }
    }

    @Test("A reset that is announced after a restart expires earlier grants")
    func resetAfterRestart() async throws {
        try await run { (machine: inout PermitMachine) throws in
            for _ in 0..<3 { try machine.end(try #require(try machine.take())) }
            try machine.restart(after: .seconds(60), boot: "second boot")
            let grant = try #require(try machine.take())
            try machine.end(grant, reset: .hours(1) / 4)
            #expect(try machine.used("day") == 4)
            machine.clocks.pass(.hours(1) / 4 + .seconds(1))
            #expect(try machine.drain() == 5)
        }
    }

    @Test("A used-up daily quota fails calls with its reset time, unless requests under way may make room")
    func usedUpQuota() async throws {
        try await run { (machine: inout PermitMachine) throws in
            let grants = try (0..<5).map { _ in try #require(try machine.take()) }
            let call = machine.call()
            let hopeful = try machine.runTransaction(interactive: [call])
            #expect(hopeful.exhausted == nil && hopeful.grants.isEmpty)
            #expect(hopeful.nextLook == machine.clocks.now.advanced(by: .seconds(1) + .microseconds(1)))
            for grant in grants { try machine.end(grant) }
            let outcome = try machine.runTransaction(interactive: [call])
            let exhausted = try #require(outcome.exhausted)
            #expect(machine.clocks.now.duration(to: exhausted.until) == .hours(24))
            #expect(exhausted.untilOnWallClock == machine.clocks.wallNow.advanced(by: .hours(24)))
            #expect(exhausted.concerns(call, .interactive) && exhausted.concerns(call, .background))
        }
    }

    @Test("A quarter of a daily quota is withheld from background calls, and only they fail")
    func backgroundCalls() async throws {
        try await run { (machine: inout PermitMachine) throws in
            for _ in 0..<3 {
                let grant = try #require(try machine.take(.background))
                try machine.end(grant)
                machine.clocks.pass(.seconds(1))
            }
            let call = machine.call()
            let exhausted = try #require(try machine.runTransaction(background: [call]).exhausted)
            #expect(exhausted.concerns(call, .background) && !exhausted.concerns(call, .interactive))
            #expect(try machine.drain() == 2)
        }
    }

    @Test("A call too heavy for the rest of a daily quota fails with the reset time; lighter ones after it are served")
    func heavyCall() async throws {
        let storage = try await TestDatabase()
        defer { storage.close() }
        let queue = PermitQueue(
            key: PermitMachine.key, limit: PermitLimit(requests: 5, window: .milliseconds(10)),
            quotas: [PermitQuota(name: "tokens", unit: .weight, amount: 100, window: .seconds(86_400))],
            database: storage.database, process: "a")
        func acquire(_ weight: Int) async throws -> Permit {
            try await queue.acquire(
                .interactive, weight: weight, totalTimeout: .seconds(5), waitLimit: .seconds(1), deadline: nil)
        }
        await queue.release(try await acquire(60), RequestEnd(at: .now()))
        let error = await #expect(throws: UpstreamError.self) { try await acquire(50) }
        guard case .paused(let until, .quotaExhausted) = error else {
            Issue.record("expected a used-up quota, got \(String(describing: error))")
            return
        }
        #expect(abs(until.duration(to: .now().advanced(by: .seconds(86_400))).microseconds) < 600_000_000)
        _ = try await acquire(40)
    }

    @Test("Pruning deletes expired grants of earlier boots, and their keys")
    func deletedGrants() async throws {
        try await run { (machine: inout PermitMachine) throws in
            #expect(try machine.drain() == 5)
            func boots() throws -> Int {
                try machine.transaction.row("SELECT COUNT(*) AS count FROM permit_boots")?["count"] ?? -1
            }
            try machine.restart(after: .hours(23), boot: "second boot", sinceStart: .hours(2) / 3)
            #expect(try machine.prune() == 0)
            machine.clocks.pass(.hours(4) / 3)
            #expect(try machine.prune() == 1)
            // Only the grants of this boot remain.
            #expect(try boots() == 1)
            let rows = try machine.transaction.row("SELECT COUNT(*) AS count FROM permit_grants")
            #expect(try rows?["count"] as Int? == 0)
        }
    }
}

extension Duration {
    fileprivate static func hours(_ count: Int) -> Duration { .seconds(3_600 * count) }
}
