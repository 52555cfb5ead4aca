import JobStorage
import Model
import Storage
import TestSupport
import Testing

@Suite("People whose rows changed")
struct ChangedPeopleTests {
    @Test("The people whose rows changed since a number are found: rows of domains, and jobs")
    func peopleWithChangedRows() async throws {
        try await withDatabase { database, _ in
            @Sendable func changes(after: Int64, of people: Set<String>) async throws -> [String: Int64] {
                try await database.read { try $0.jobs.latestChanges(of: people, after: after) }
            }
            let everybody: Set<String> = ["a", "b", "c"]
            #expect(try await changes(after: 0, of: everybody) == [:])
            try await database.write { $0.recordChange(of: ["a"], topic: ChangeTopic("notes")) }
            let inserted = JobInsertion.sample(userID: "b")
            try await database.write { try $0.jobs.insert(inserted) }
            let last = try await database.read { try $0.lastChange() }
            #expect(try await changes(after: 0, of: everybody) == ["a": 1, "b": last])
            #expect(try await changes(after: 1, of: everybody) == ["b": last])
            #expect(try await changes(after: 0, of: ["a", "c"]) == ["a": 1])
            #expect(try await changes(after: last, of: everybody) == [:])
        }
    }

    @Test("Jobs that swap states are found, although every counter stays the same")
    func swappedStates() async throws {
        try await withDatabase { database, _ in
            let (first, second) = (JobInsertion.sample(userID: "a"), JobInsertion.sample(userID: "a"))
            try await database.write { transaction in
                try transaction.jobs.insert(first)
                try transaction.jobs.insert(second)
            }
            @Sendable func claim(_ id: String, in transaction: WriteTransaction) throws -> JobRun? {
                try transaction.jobs.claim(
                    jobID: id, lastRun: 0, worker: "w/1", leaseExpiresAt: .now(), now: .now())?.run
            }
            let run = try #require(try await database.write { try claim(first.id, in: $0) })
            let before = try await database.read { (try $0.lastChange(), try $0.jobs.jobCounts(userID: "a")) }
            let areExchanged = try await database.write { transaction in
                let isReleased = try transaction.jobs.release(run, afterCrash: false)
                return try claim(second.id, in: transaction) != nil && isReleased
            }
            #expect(areExchanged)
            let (counts, changes) = try await database.read {
                (try $0.jobs.jobCounts(userID: "a"), try $0.jobs.latestChanges(of: ["a"], after: before.0))
            }
            #expect(counts.filter { $0.value != 0 } == before.1.filter { $0.value != 0 })
            #expect(changes["a"] ?? 0 > before.0)
        }
    }
}
