import Model
import PermitStorage
import Platform
import Storage
import TestSupport
import Testing

@testable import Upstream

@Suite("Pruning of unused keys", .timeLimit(.minutes(5)))
struct PermitPruningTests {
    private static let later = PermitStore<WriteTransaction>.permitKeyIdleTime + .seconds(60)

    private func queue(_ database: Database, _ credential: String) -> PermitQueue {
        PermitQueue(
            key: PermitKey(provider: "test", credential: Secret(credential)),
            limit: PermitLimit(requests: 2, window: .milliseconds(10)), database: database, process: "a")
    }

    private func acquire(_ queue: PermitQueue, timeout: Duration = .seconds(1)) async throws -> Permit {
        try await queue.acquire(.interactive, totalTimeout: timeout, waitLimit: .zero, deadline: nil)
    }

    private func prune(_ database: Database) async throws -> Int {
        try await database.write {
            try $0.permits.prunePermitKeys(
                at: .unguarded(.now()), now: .now().advanced(by: Self.later), limit: 10)
        }
    }

    private func keys(_ database: Database) async throws -> Set<String> {
        Set(try await database.read { try $0.permits.permitStatus().map(\.key) })
    }

    @Test("An unused key is deleted with its slots, unless it is busy, paused, or waiting for a reset")
    func unusedKeys() async throws {
        let storage = try await TestDatabase()
        defer { storage.close() }
        let names = ["idle", "busy", "paused", "counted"]
        let queues = names.map { queue(storage.database, $0) }
        for (name, queue) in zip(names, queues) {
            let permit = try await acquire(queue, timeout: name == "busy" ? Self.later : .seconds(1))
            if name == "paused" { await queue.pause(.requested(until: .now().advanced(by: .seconds(3_600)))) }
            if name == "counted" { await queue.recordQuotaReset(.now().advanced(by: .seconds(3_600))) }
            if name != "busy" { await queue.returnUnused(permit) }
            await queue.waitUntilIdle()
        }
        let all = Dictionary(
            uniqueKeysWithValues: names.map { ($0, PermitKey(provider: "test", credential: Secret($0)).description) })
        func prune(_ time: Duration, boot: String = BootID.current) async throws -> Set<String> {
            let (now, wallNow) = (MonotonicInstant.now().advanced(by: time), Timestamp.now().advanced(by: time))
            try await storage.database.write {
                _ = try $0.permits.prunePermitKeys(at: .unguarded(wallNow), boot: boot, now: now, limit: 10)
            }
            return Set(all.values).subtracting(try await keys(storage.database))
        }
        #expect(try await prune(.zero) == [])
        #expect(try await prune(Self.later) == [all["idle"]])
        // Requests from before a restart have arrived, and pauses end by the wall clock.
        #expect(try await prune(Self.later, boot: "the next") == [all["idle"], all["busy"]])
        #expect(try await prune(.seconds(4_000), boot: "the next").count == 4)
        let slots = try await storage.database.read { try $0.row("SELECT COUNT(*) AS count FROM permit_slots") }
        #expect(try slots?["count"] as Int? == 0)
    }

    @Test("An unused key's grants are deleted in batches, except those that still count")
    func grantsOfAnUnusedKey() async throws {
        let storage = try await TestDatabase()
        defer { storage.close() }
        let now = MonotonicInstant.now()
        try await storage.database.write { transaction in
            let quotas = [PermitQuotaRecord(name: "day", unit: "requests", amount: 9, window: .seconds(86_400))]
            for key in ["test:1", "test:2"] {
                try transaction.permits.registerPermitQuotas(quotas, of: key)
                for number in 0..<5 {
                    let end = now.advanced(by: .seconds(number == 0 ? 1 : -number))
                    try transaction.permits.addPermitGrant(
                        key, quota: "day", slot: 0, grantNumber: Int64(number), boot: BootID.current, weight: 1,
                        holder: "a", arrivedBy: end, countsUntil: end)
                }
            }
        }
        func prune() async throws -> Int {
            try await storage.database.write {
                try $0.permits.prunePermitGrants(at: .unguarded(.now()), now: now, limit: 3)
            }
        }
        #expect(try await prune() == 3)
        #expect(try await prune() == 3)
        #expect(try await prune() == 2)
        #expect(try await prune() == 0)
        let left = try await storage.database.read {
            try $0.rows("SELECT grant_number FROM permit_grants").map { try $0["grant_number"] as Int }
        }
        #expect(left == [0, 0])
    }

    @Test("A deleted key that is used again is created again, and an earlier release does not affect it")
    func usedAgain() async throws {
        let storage = try await TestDatabase()
        defer { storage.close() }
        let queue = queue(storage.database, "key")
        let former = try await acquire(queue)
        await queue.returnUnused(former)
        await queue.waitUntilIdle()
        #expect(try await prune(storage.database) == 1)
        let current = try await acquire(queue, timeout: .seconds(600))
        #expect(current.slot == former.slot)
        await queue.returnUnused(former)
        await queue.waitUntilIdle()
        #expect(try await storage.database.read { try $0.permits.permitStatus() }.map(\.busy) == [1])
        await queue.returnUnused(current)
        await queue.waitUntilIdle()
        #expect(try await prune(storage.database) == 1)
        await queue.pause(.requested(until: .now().advanced(by: .seconds(3_600))))
        await queue.waitUntilIdle()
        await #expect(throws: UpstreamError.self) { try await acquire(queue) }
    }
}
