import Foundation
import Model
import PermitStorage
import Storage
import TestSupport
import Testing

@testable import Upstream

@Suite("Queues of permits", .timeLimit(.minutes(5)))
struct PermitQueueTests {
    @Test("A slot is free for all processes exactly one window after the answer")
    func releasedSlot() async throws {
        try await TestDatabase.run { storage in
            let window = Duration.milliseconds(50)
            let (here, there) = (
                storage.queue("a", requests: 1, window: window), storage.queue("b", requests: 1, window: window)
            )
            var freeAt = MonotonicInstant(microseconds: 0)
            for index in 0..<6 {
                let queue = index % 2 == 0 ? here : there
                let permit = try await queue.acquire()
                #expect(permit.grantedAt > freeAt)
                let answered = MonotonicInstant.now()
                freeAt = answered.advanced(by: window)
                await queue.release(permit, RequestEnd(at: answered))
            }
        }
    }

    @Test("The slot of an unanswered request is busy until a window after its hard deadline")
    func unansweredRequest() async throws {
        try await TestDatabase.run { storage in
            let queue = storage.queue("a", requests: 1, window: .milliseconds(50))
            let lost = try await queue.acquire(timeout: .milliseconds(200))
            let next = try await queue.acquire()
            #expect(lost.grantedAt.duration(to: next.grantedAt) > .milliseconds(1_250))
        }
    }

    @Test("The slot of a request that was never sent is free at once, for all processes")
    func unsentRequest() async throws {
        try await TestDatabase.run { storage in
            let here = storage.queue("a", requests: 1, window: .seconds(600))
            for _ in 0..<5 { await here.returnUnused(try await here.acquire()) }
            await here.waitUntilIdle()
            _ = try await storage.queue("b", requests: 1, window: .seconds(600)).acquire()
        }
    }

    @Test("A release after the slot was granted again changes nothing")
    func lateRelease() async throws {
        try await TestDatabase.run { storage in
            let queue = storage.queue("a", requests: 1, window: .milliseconds(10))
            let stale = try await queue.acquire(timeout: .milliseconds(1))
            let current = try await queue.acquire(timeout: .seconds(600))
            #expect(current.grantNumber > stale.grantNumber)
            await queue.returnUnused(stale)
            await queue.waitUntilIdle()
            let status = try await storage.database.read { try $0.permits.permitStatus() }
            #expect(status.first?.busy == 1)
        }
    }

    @Test(
        "Permits are valid for a second after the commit, which may take as long as the hard deadline allows",
        arguments: [
            (0, 0, 1_000), (3, 0, 1_000), (400, 0, 1_000), (2_000, 0, 1_000), (2_000, 4_000, 3_000),
            (4_500, 4_000, 5_000),
        ])
    func validityOfPermits(commit: Int, allowance: Int, latest: Int) {
        let granted = MonotonicInstant(microseconds: 5_000_000)
        let permit = Permit(
            slot: 0, grantNumber: 1, grantedAt: granted, learnedAt: granted.advanced(by: .milliseconds(commit)),
            allowance: .milliseconds(allowance), pausedSince: nil)
        let end = granted.advanced(by: .milliseconds(latest))
        #expect(permit.isValid(at: end))
        #expect(!permit.isValid(at: end.advanced(by: .microseconds(1))))
    }

    /// Makes each commit take longer than the second in which a request may begin.
    private final class SlowCommit: BatchAttachment {
        func entrySucceeded() {}
        func entryRolledBack() {}
        func partBegan() {}
        func partEnded(isStored: Bool) {}
        func finishBatch(in transaction: WriteTransaction) throws { usleep(1_100_000) }
        func whenDurable() -> (@Sendable () -> Void)? { nil }
    }

    @Test("Permits can be used while commits take longer than a second, and their slots stay busy for long enough")
    func slowCommits() async throws {
        try await TestDatabase.run { storage in
            storage.database.attach(SlowCommit.self) { SlowCommit() }
            let window = Duration.seconds(7)
            let queue = storage.queue("a", requests: 2, window: window)
            // The second ends before the process learns of the grant, which shows how long commits take.
            let first = try await queue.acquire()
            #expect(first.grantedAt.duration(to: first.latestStart) == Permit.startLimit)
            let second = try await queue.acquire(timeout: .seconds(5))
            #expect(second.grantedAt.duration(to: second.latestStart) > .milliseconds(2_100))
            let key = PermitKey.test.description
            let slots = try await storage.database.write { try $0.permits.permitSlots(of: key, requests: 2) }
            let busyUntil = try #require(slots.first { $0.grantNumber == second.grantNumber }).busyUntil
            #expect(busyUntil >= second.latestStart.advanced(by: .seconds(5) + window))
        }
    }

    @Test("The allowance follows the slowest of the last commits, and is zero on a fast disk")
    func allowanceForCommits() {
        var allowance = CommitAllowance()
        for time in [1, 20, 499] { allowance.record(.milliseconds(time)) }
        #expect(allowance.duration == .zero)
        allowance.record(.seconds(3))
        #expect(allowance.duration == .seconds(6))
        for _ in 0..<7 { allowance.record(.milliseconds(3)) }
        #expect(allowance.duration == .seconds(6))
        allowance.record(.milliseconds(3))
        #expect(allowance.duration == .zero)
        allowance.record(.seconds(100))
        #expect(allowance.duration == CommitAllowance.longest)
    }

    @Test("A cancelled call leaves the queue, and the next call is served")
    func cancelledCall() async throws {
        try await TestDatabase.run { storage in
            let queue = storage.queue("a", requests: 1, window: .milliseconds(10))
            let held = try await queue.acquire()
            let cancelled = Task { try await queue.acquire() }
            let patient = Task { try await queue.acquire() }
            cancelled.cancel()
            await #expect(throws: CancellationError.self) { try await cancelled.value }
            await queue.release(held, RequestEnd(at: .now()))
            _ = try await patient.value
        }
    }

    @Test("Interactive calls of another process come before background calls that have waited longer")
    func urgencyAcrossProcesses() async throws {
        try await TestDatabase.run { storage in
            let window = Duration.milliseconds(100)
            let busy = storage.queue("busy", requests: 1, window: window)
            let (background, interactive) = (
                storage.queue("background", requests: 1, window: window),
                storage.queue("interactive", requests: 1, window: window)
            )
            // Longer than a slow machine takes until both others wait: a permit ends by itself after its timeout.
            let held = try await busy.acquire(timeout: .seconds(600))
            let order = AsyncStream<UpstreamRequest.Urgency>.makeStream()
            let patient = Task {
                let permit = try await background.acquire(.background)
                order.continuation.yield(.background)
                await background.release(permit, RequestEnd(at: .now()))
            }
            let hasty = Task {
                let permit = try await interactive.acquire(.interactive)
                order.continuation.yield(.interactive)
                await interactive.release(permit, RequestEnd(at: .now()))
            }
            // Both queues have looked and found no slot before the slot is released.
            while try await storage.database.read({ try $0.permits.permitStatus() }).first?.waiting != 1 {
                await Task.yield()
            }
            await busy.release(held, RequestEnd(at: .now()))
            try await hasty.value
            try await patient.value
            var first = order.stream.makeAsyncIterator()
            #expect(await first.next() == .interactive)
            #expect(await first.next() == .background)
        }
    }

    @Test("After a restart of the machine, every slot is busy for exactly one window")
    func restartOfTheMachine() async throws {
        try await TestDatabase.run { storage in
            func runTransaction(
                boot: String, window: Duration, isRegistered: Bool = false
            ) async throws -> PermitTransaction.Outcome {
                let own = PermitTransaction(
                    key: .test, limit: PermitLimit(requests: 1, window: window), process: boot, boot: boot,
                    isRegistered: isRegistered, releases: [], pauses: [], quotaReset: nil,
                    interactive: [.init(id: 1, totalTimeout: .seconds(3_600))], background: [],
                    hasAnnouncedCalls: false)
                return try await storage.database.write { try own.perform(in: $0) }
            }
            let before = try await runTransaction(boot: "before", window: .milliseconds(80))
            #expect(before.grants.count == 1)

            let first = try await runTransaction(boot: "after", window: .milliseconds(80))
            #expect(first.grants.isEmpty)
            let look = try #require(first.nextLook)
            #expect(first.at.duration(to: look) == .milliseconds(80) + .microseconds(1))
            try await look.sleep()
            let second = try await runTransaction(boot: "after", window: .milliseconds(80), isRegistered: true)
            #expect(second.grants.count == 1)
        }
    }

    @Test("The key in the database is a fingerprint, and differs by provider")
    func fingerprintOfTheKey() {
        #expect(!PermitKey.test.description.contains("key"))
        #expect(PermitKey.test.description.hasPrefix("test:"))
        #expect(PermitKey.test != PermitKey(provider: "other", credential: Secret("key")))
        #expect(PermitKey(provider: "test", credential: nil).description == "test:anonymous")
        #expect(PermitKey(provider: "test", credential: Secret("key"), scope: "m").description == "\(PermitKey.test)/m")
    }
}
