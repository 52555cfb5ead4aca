import Model
import Storage
import TestSupport
import Testing

@testable import Concerts

@Suite("Running searches")
struct RunningSearchTests {
    private struct NoLookup: Error {}

    @Test("Running searches are counted correctly through all changes, and the quota refuses one too many")
    func countOfRunningSearches() async throws {
        try await withDatabase { database, _ in
            let searches = ConcertSearches(freshness: .seconds(3_600), maximumRunning: 2)
            @Sendable func begin(_ names: [String], user: String = "u") async throws -> String {
                try await database.write { transaction in
                    let artists = names.enumerated().map { RankedArtist(id: $1, name: $1, rank: $0 + 1) }
                    let begun = try searches.begin(artists, homeCity: nil, userID: user, in: transaction)
                    try transaction.insert(begun.lookups)
                    return begun.searchID
                }
            }
            func running(_ user: String = "u") async throws -> Int {
                try await database.read { try $0.concerts.runningSearches(ofUser: user) }
            }
            func answer(_ name: String, hasFailed: Bool = false) async throws {
                try await database.write { transaction in
                    let key = ConcertSearches.key(ofArtist: name)
                    guard let job = try transaction.concerts.target(key: key)?.jobID else { throw NoLookup() }
                    try ConcertAnswer(targetKey: key, attractionID: nil, events: [], gap: nil, hasFailed: hasFailed)
                        .store(jobID: job, now: .now(), in: transaction)
                }
            }
            let first = try await begin(["Air", "Moby"])
            _ = try await begin(["Air"])
            #expect(try await running() == 2)
            await #expect(throws: QuotaReached(.runningSearches, limit: 2, used: 2, asked: 1)) {
                _ = try await begin(["Kabát"])
            }
            let key = ConcertSearches.key(ofArtist: "Kabát")
            #expect(try await database.read { try $0.concerts.target(key: key) } == nil)
            _ = try await begin(["Kabát"], user: "v")
            try await answer("Air")
            #expect(try await running() == 1, "the first search waits for Moby")
            _ = try await begin(["Adele"])
            // A search with fresh answers never runs.
            _ = try await begin(["Air"])
            #expect(try await running() == 2)
            try await answer("Moby", hasFailed: true)
            #expect(try await running() == 1)
            let again = try await database.write { transaction -> Int? in
                guard case .begun(let lookups) = try searches.retry(id: first, userID: "u", in: transaction)
                else { return nil }
                try transaction.insert(lookups)
                return lookups.count
            }
            #expect(again == 1)
            #expect(try await running() == 2)
            _ = try await database.write { try searches.cancel(id: first, userID: "u", in: $0) }
            #expect(try await running() == 1)
            #expect(try await running("v") == 1)
        }
    }

    @Test("Queries for running and changed searches use their indexes")
    func queriesUseIndexes() async throws {
        try await withDatabase { database, _ in
            func plan(_ query: SQL) async throws -> [String] {
                try await database.read { try $0.plan(of: query) }
            }
            let running = try await plan(ConcertStore<ReadTransaction>.running(ofUser: "u"))
            #expect(
                running.count == 1 && running[0].contains("INDEX concert_searches_running (user_id=?)"), "\(running)")
            let changed = try await plan(
                ConcertStore<ReadTransaction>.count(ofUser: "u", changedAfter: 7, limit: 501))
            #expect(
                changed.contains { $0.contains("INDEX concert_searches_changed (user_id=? AND change>?)") },
                "\(changed)")
        }
    }
}
