import Model
import Storage
import TestSupport
import Testing

@testable import Concerts

@Suite("Searches that wait for an answer")
struct RunningSearchTests {
    private struct NobodyAsks: Error {}

    @Test("They are counted as they begin, end, are cancelled and begin again, and beyond the quota none begins")
    func counting() async throws {
        try await withDatabase { database, _ in
            let searches = ConcertSearches(freshness: .seconds(3_600), maximumRunning: 2)
            @Sendable func begin(_ names: [String], user: String = "u") async throws -> String {
                try await database.write { transaction in
                    let artists = names.enumerated().map { RankedArtist(id: $1, name: $1, rank: $0 + 1) }
                    return try searches.begin(artists, homeCity: nil, userID: user, in: transaction) { _ in
                        try transaction.submitLookup(for: user)
                    }
                }
            }
            func running(_ user: String = "u") async throws -> Int {
                try await database.read { try $0.concerts.runningSearches(ofUser: user) }
            }
            func answer(_ name: String, hasFailed: Bool = false) async throws {
                try await database.write { transaction in
                    let key = ConcertSearches.key(ofArtist: name)
                    guard let job = try transaction.concerts.subject(key: key)?.jobID else { throw NobodyAsks() }
                    try ConcertAnswer(subjectKey: key, attractionID: nil, events: [], gap: nil, hasFailed: hasFailed)
                        .store(jobID: job, now: .now(), in: transaction)
                }
            }
            let first = try await begin(["Air", "Moby"])
            _ = try await begin(["Air"])
            #expect(try await running() == 2)
            await #expect(throws: QuotaReached(.runningSearches, limit: 2, used: 2, asked: 1)) {
                _ = try await begin(["Kabát"])
            }
            #expect(try await database.read { try $0.concerts.subject(key: ConcertSearches.key(ofArtist: "Kabát")) } == nil)
            _ = try await begin(["Kabát"], user: "v")
            try await answer("Air")
            #expect(try await running() == 1, "the other one waits for Moby")
            _ = try await begin(["Adele"])
            // What is known is answered at once, and runs no moment.
            _ = try await begin(["Air"])
            #expect(try await running() == 2)
            try await answer("Moby", hasFailed: true)
            #expect(try await running() == 1)
            let again = try await database.write { transaction in
                try searches.retry(id: first, userID: "u", in: transaction) { _ in
                    try transaction.submitLookup(for: "u")
                }
            }
            #expect(again == 1)
            #expect(try await running() == 2)
            _ = try await database.write { try searches.cancel(id: first, userID: "u", in: $0) }
            #expect(try await running() == 1)
            #expect(try await running("v") == 1)
        }
    }

    @Test("They are found by their own index, and what changed by its")
    func plans() async throws {
        try await withDatabase { database, _ in
            func plan(_ query: SQL) async throws -> [String] {
                try await database.read {
                    try $0.rows(.onlySQLite("EXPLAIN QUERY PLAN " + query)).map { try $0["detail"] as String }
                }
            }
            let running = try await plan(ConcertStore<ReadTransaction>.running(ofUser: "u"))
            #expect(running.count == 1 && running[0].contains("INDEX concert_searches_running (user_id=?)"), "\(running)")
            let changed = try await plan(
                ConcertStore<ReadTransaction>.count(ofUser: "u", changedAfter: 7, limit: 501))
            #expect(
                changed.contains { $0.contains("INDEX concert_searches_changed (user_id=? AND change>?)") }, "\(changed)")
        }
    }
}
