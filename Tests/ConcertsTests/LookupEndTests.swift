import Concerts
import JobStorage
import Model
import Storage
import TestSupport
import Testing

@Suite("Lookups that end without an answer")
struct LookupEndTests {
    @Test("The transaction that ends a lookup fails its waiting targets, and the lookup cannot be requeued")
    func endFailsWaitingTargets() async throws {
        try await withDatabase { database, _ in
            database.register(CompletionHook.concertLookups) { _ in }
            let searches = ConcertSearches(freshness: .seconds(3_600))
            let (search, jobID) = try await database.write { transaction -> (String, String) in
                let begun = try searches.begin(
                    [RankedArtist(id: "a", name: "ABBA", rank: 1)], homeCity: nil, userID: "u", in: transaction)
                try transaction.insert(begun.lookups, claim: .init(worker: "w/1", leaseExpiresAt: .now()))
                return (begun.searchID, try #require(begun.lookups.first).jobID)
            }
            func warnings() async throws -> [String?] {
                try await database.read { reader in
                    try ConcertSearchResult(id: search, userID: "u", in: reader)?.warnings.map(\.code.rawValue) ?? []
                }
            }
            #expect(try await warnings().isEmpty)
            let change = try await database.read { try $0.lastChange() }
            _ = try await database.write {
                try $0.jobs.fail(
                    JobRun(jobID: jobID, run: 1), userID: "system", kind: "concerts.lookup", code: "poison",
                    message: "No.", retryAt: nil, now: .now())
            }
            #expect(try await warnings() == ["upstreamError"])
            #expect(
                try await database.read {
                    try ConcertSearchResult(id: search, userID: "u", in: $0)?.outcome.state
                } == .failed)
            // Event streams report the change.
            #expect(
                try await database.read { try $0.concerts.searches(userID: "u", changedAfter: change, limit: 9) }.count
                    == 1)
            await #expect(throws: JobNotRequeueable(jobID: jobID)) {
                try await database.write { try $0.jobs.requeue(jobID: jobID, userID: "system", now: .now()) }
            }
        }
    }
}
