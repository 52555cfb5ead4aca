import Foundation
import Model
import PermitStorage
import Storage
import TestSupport
import Testing

@testable import Upstream

@Suite("Pauses of queues of permits", .timeLimit(.minutes(5)))
struct PermitPauseTests {
    @Test("A pause applies to all processes, and ends calls whose wait limit is shorter")
    func pauseOfAllProcesses() async throws {
        try await TestDatabase.run { storage in
            let (here, there) = (
                storage.queue("a", requests: 5, window: .milliseconds(10)),
                storage.queue("b", requests: 5, window: .milliseconds(10))
            )
            let end = MonotonicInstant.now().advanced(by: .milliseconds(200))
            await here.pause(.requested(until: end))
            await here.waitUntilIdle()
            let permit = try await there.acquire()
            #expect(permit.grantedAt > end)

            await here.pause(.requested(until: end.advanced(by: .seconds(600))))
            await here.waitUntilIdle()
            let error = await #expect(throws: UpstreamError.self) { try await there.acquire() }
            guard case .paused(_, .requested) = error else {
                Issue.record("expected a pause, got \(String(describing: error))")
                return
            }
        }
    }

    @Test("A pause whose write failed is written again")
    func unwrittenPause() async throws {
        try await TestDatabase.run { storage in
            let queue = storage.queue("a", requests: 1, window: .milliseconds(10))
            await queue.returnUnused(try await queue.acquire())
            await queue.waitUntilIdle()
            try await storage.database.write { try $0.run("ALTER TABLE permit_keys RENAME TO hidden_keys") }
            await queue.pause(.requested(until: .now().advanced(by: .seconds(600))))
            await queue.waitUntilIdle()
            try await storage.database.write { try $0.run("ALTER TABLE hidden_keys RENAME TO permit_keys") }
            while try await storage.database.read({ try $0.permits.permitStatus() }).first?.pause == nil {
                await Task.yield()
            }
        }
    }

    @Test("A later, shorter pause does not shorten a longer one")
    func longestPause() async throws {
        try await TestDatabase.run { storage in
            let queue = storage.queue("a", requests: 1, window: .milliseconds(10))
            await queue.pause(.quotaExhausted(until: nil))
            await queue.pause(.requested(until: MonotonicInstant.now().advanced(by: .seconds(1))))
            await queue.waitUntilIdle()
            let pause = try #require(try await storage.database.read { try $0.permits.permitStatus() }.first?.pause)
            #expect(pause.reason == UpstreamError.PauseReason.quotaExhausted.rawValue)
            #expect(pause.until > Timestamp.now().advanced(by: .seconds(3_000)))
            #expect(pause.until < Timestamp.now().advanced(by: .seconds(3_700)), "an hour, where nobody said when")
        }
    }

    @Test("A used-up quota pauses until the reset that an earlier answer announced to any process")
    func storedReset() async throws {
        try await TestDatabase.run { storage in
            let reset = Timestamp.now().advanced(by: .seconds(5_000))
            let (here, there) = (
                storage.queue("a", requests: 1, window: .milliseconds(10)),
                storage.queue("b", requests: 1, window: .milliseconds(10))
            )
            let permit = try await here.acquire()
            await here.recordQuotaReset(reset)
            await here.release(permit, RequestEnd(at: .now()))
            await here.waitUntilIdle()
            await there.pause(.quotaExhausted(until: nil))
            let error = await #expect(throws: UpstreamError.self) { try await there.acquire() }
            guard case .paused(let until, .quotaExhausted) = error else {
                Issue.record("expected a used-up quota, got \(String(describing: error))")
                return
            }
            // The values come from two clocks, read one after the other. Without a stored reset: an hour.
            #expect(abs(until.duration(to: reset).microseconds) < 60_000_000)
        }
    }
}
