import Concerts
import Foundation
import Model
import Storage
import TestSupport
import Testing

@testable import ConcertsHTTP
@testable import Gateway

@Suite("The cache of shows")
struct ShowCacheTests {
    private let search = ConcertSearchRecord(
        id: UUIDv7.next(), userID: "u", kind: ConcertSearches.artistsKind, homeCity: "Prague", createdAt: .now())

    /// A complete search for two artists.
    private func begin(in database: Database) async throws {
        try await database.write { [search] transaction in
            try transaction.concerts.insertSearch(search)
            for (rank, name) in ["air", "moby"].enumerated() {
                try transaction.concerts.setSearchTarget(
                    SearchTargetRecord(
                        rank: rank + 1, artistID: name, name: name, targetKey: name, status: "complete"),
                    searchID: search.id)
            }
        }
    }

    private func store(
        _ ids: [String], of target: String, name: String = "Show", at now: Timestamp = .now(), in database: Database
    ) async throws {
        let date = LocalDate(dayNumber: Int(Timestamp.now().microseconds / 86_400_000_000) + 30)
        try await database.write { transaction in
            try transaction.concerts.storeAnswer(
                targetKey: target, status: "complete", warningCode: nil, attractionID: nil,
                events: ids.map { id in
                    let venue = ConcertVenue(name: "Venue \(id)", city: "City \(id)")
                    let event = ConcertEvent(id: id, name: name, venue: venue, localDate: date)
                    return try StoredConcertEvent(event)
                }, reach: .everything, now: now)
        }
    }

    private func names(
        _ cache: ShowCache, _ filter: ShowFilter = ShowFilter(), in database: Database
    ) async throws -> [String] {
        try await database.read { [search] reader in
            let result = try #require(try ConcertSearchResult(id: search.id, userID: "u", in: reader))
            return try cache.items(of: result, filter, today: .todayUTC, in: reader)
                .map { "\($0.id) \($0.name)" }
        }
    }

    @Test("Shows are computed once, and again after each change of their data")
    func computedAfterChanges() async throws {
        try await withDatabase { database, _ in
            try await begin(in: database)
            let cache = ShowCache(cityNames: .builtIn)
            try await store(["a", "b"], of: "air", in: database)
            try await store(["m"], of: "moby", in: database)
            for _ in 0..<3 {
                #expect(try await names(cache, in: database) == ["a Show", "b Show", "m Show"])
            }
            #expect(cache.computed == 1)
            #expect(try await names(cache, ShowFilter(includesCancelled: true), in: database).count == 3)
            #expect(cache.computed == 2)
            let city = try #require(HomeCity("City b"))
            #expect(try await names(cache, ShowFilter(city: city), in: database) == ["b Show"])
            #expect(cache.computed == 3)

            // Another search's lookup stores an event of this search again.
            try await store(["a", "b"], of: "air", name: "Moved", in: database)
            #expect(try await names(cache, in: database) == ["a Moved", "b Moved", "m Show"])
            // This is the same number of events, stored after the clock was set back.
            try await store(["m"], of: "moby", in: database)
            _ = try await names(cache, in: database)
            try await store(["a", "c"], of: "air", at: Timestamp(microseconds: 7), in: database)
            #expect(try await names(cache, in: database) == ["a Show", "c Show", "m Show"])
            try await store(["a"], of: "air", at: Timestamp(microseconds: 7), in: database)
            #expect(try await names(cache, in: database) == ["a Show", "m Show"])
            let before = cache.computed
            #expect(try await names(cache, in: database) == ["a Show", "m Show"])
            #expect(cache.computed == before)
        }
    }

    @Test("A learned attraction is a change, because it determines the picture")
    func learnedAttraction() async throws {
        try await withDatabase { database, _ in
            try await begin(in: database)
            let cache = ShowCache(cityNames: .builtIn)
            try await store(["a"], of: "air", in: database)
            _ = try await names(cache, in: database)
            try await database.write {
                try $0.run("UPDATE concert_subjects SET attraction_id = 'K1' WHERE subject_key = 'air'")
            }
            _ = try await names(cache, in: database)
            #expect(cache.computed == 2)
        }
    }
}
