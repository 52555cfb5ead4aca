import Model
import Storage
import Testing

@testable import Upstream

@Suite("Keys of permits that nobody uses", .timeLimit(.minutes(5)))
struct PermitPruningTests {
    private static let later = PermitStore<WriteTransaction>.permitKeyIdleTime + .seconds(60)

    private func queue(_ database: Database, _ credential: String) -> PermitQueue {
        PermitQueue(
            key: PermitKey(provider: "test", credential: Secret(credential)),
            limit: PermitLimit(requests: 2, window: .milliseconds(10)), database: database, process: "a")
    }

    private func acquire(_ queue: PermitQueue, timeout: Duration = .seconds(1)) async throws -> Permit {
        try await queue.acquire(.interactive, totalTimeout: timeout, patience: .zero, deadline: nil)
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

    @Test("they go after a while, but for those that are busy, paused, or wait for their allowance; slots go with them")
    func pruning() async throws {
        let storage = try await TemporaryDatabase()
        defer { storage.remove() }
        let names = ["idle", "busy", "paused", "counted"]
        let queues = names.map { queue(storage.database, $0) }
        for (name, queue) in zip(names, queues) {
            let permit = try await acquire(queue, timeout: name == "busy" ? Self.later : .seconds(1))
            if name == "paused" { await queue.pause(.requested(until: .now().advanced(by: .seconds(3_600)))) }
            if name == "counted" { await queue.noteQuotaReset(.now().advanced(by: .seconds(3_600))) }
            if name != "busy" { await queue.returnUnused(permit) }
            await queue.settled()
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
        // Of what was sent before the machine restarted everything has arrived; pauses go by the wall clock.
        #expect(try await prune(Self.later, boot: "the next") == [all["idle"], all["busy"]])
        #expect(try await prune(.seconds(4_000), boot: "the next").count == 4)
        let slots = try await storage.database.read { try $0.row("SELECT COUNT(*) AS count FROM permit_slots") }
        #expect(try slots?["count"] as Int? == 0)
    }

    @Test("one that is used again after all is made anew, and a release from before does not touch it")
    func usedAgain() async throws {
        let storage = try await TemporaryDatabase()
        defer { storage.remove() }
        let queue = queue(storage.database, "key")
        let former = try await acquire(queue)
        await queue.returnUnused(former)
        await queue.settled()
        #expect(try await prune(storage.database) == 1)
        let current = try await acquire(queue, timeout: .seconds(600))
        #expect(current.slot == former.slot)
        await queue.returnUnused(former)
        await queue.settled()
        #expect(try await storage.database.read { try $0.permits.permitStatus() }.map(\.busy) == [1])
        await queue.returnUnused(current)
        await queue.settled()
        #expect(try await prune(storage.database) == 1)
        await queue.pause(.requested(until: .now().advanced(by: .seconds(3_600))))
        await queue.settled()
        await #expect(throws: UpstreamError.self) { try await acquire(queue) }
    }
}
