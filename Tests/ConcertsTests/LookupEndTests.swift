import Concerts
import Model
import Storage
import TestSupport
import Testing

@Suite("Lookups that end without an answer")
struct LookupEndTests {
    @Test("The transaction that ends a lookup tells the searches that wait for it, which cannot be taken back")
    func told() async throws {
        try await withDatabase { database, _ in
            database.register(JobEnd.concertLookups) { _ in }
            let searches = ConcertSearches(freshness: .seconds(3_600))
            let (search, jobID) = try await database.write { transaction -> (String, String) in
                var jobID = ""
                let id = try searches.begin(
                    [RankedArtist(id: "a", name: "ABBA", rank: 1)], homeCity: nil, userID: "u", in: transaction
                ) { _ in
                    let job = JobInsertion(
                        id: UUIDv7.next(), userID: "system", kind: "concerts.lookup", version: 1, payload: "{}",
                        priority: 0, maximumAttempts: 5, createdAt: .now(), runAt: .now(),
                        claim: .init(worker: "w/1", leaseExpiresAt: .now()))
                    try transaction.jobs.insert(job)
                    jobID = job.id
                    return job.id
                }
                return (id, jobID)
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
            // Event streams hear of it.
            #expect(
                try await database.read { try $0.concerts.searches(userID: "u", changedAfter: change, limit: 9) }.count
                    == 1)
            await #expect(throws: JobNotRequeueable(jobID: jobID)) {
                try await database.write { try $0.jobs.requeue(jobID: jobID, userID: "system", now: .now()) }
            }
        }
    }
}
