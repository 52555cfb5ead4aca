import Concerts
import JobStorage
import Model
import Storage
import TestSupport
import Testing

@Suite("Pruning of concerts")
struct ConcertUpkeepTests {
    private static let day = Duration.seconds(86_400)

    private static func upkeep(_ database: Database) -> ConcertUpkeep {
        ConcertUpkeep(database: database, searchRetention: day * 7, artistRetention: day * 90)
    }

    private static func ago(_ days: Int) -> Timestamp { Timestamp.now().advanced(by: .zero - day * days) }

    /// Stores an answer dated some days ago.
    private static func store(
        _ key: String, attractionID: String? = nil, events: [String] = [], daysAgo: Int, in database: Database
    ) async throws {
        try await database.write { transaction in
            try transaction.concerts.storeAnswer(
                targetKey: key, status: SearchOutcome.Coverage.complete.rawValue, warningCode: nil,
                attractionID: attractionID, events: events.map { StoredConcertEvent(id: $0, text: "{}") },
                reach: .everything, now: ago(daysAgo))
        }
    }

    private static func texts(_ query: SQL, in database: Database) async throws -> [String] {
        try await database.read { reader in try reader.rows(query).map { try $0["text"] } }
    }

    private static func targets(_ database: Database) async throws -> [String] {
        try await texts("SELECT subject_key AS text FROM concert_subjects ORDER BY subject_key", in: database)
    }

    @Test("Unknown names and areas are kept as long as searches, artists longer; events go with their last target")
    func retentionOfTargets() async throws {
        try await withDatabase { database, _ in
            try await Self.store("artist:new name", daysAgo: 6, in: database)
            try await Self.store("artist:old name", daysAgo: 8, in: database)
            try await Self.store("nearby:berlin:50", events: ["e1", "e2"], daysAgo: 8, in: database)
            try await Self.store("artist:air", attractionID: "K1", events: ["e2", "e3"], daysAgo: 80, in: database)
            try await Self.store("artist:abba", attractionID: "K2", events: ["e3", "e4"], daysAgo: 91, in: database)
            try await Self.upkeep(database).forget(at: .unguarded(.now()))
            #expect(try await Self.targets(database) == ["artist:air", "artist:new name"])
            #expect(
                try await Self.texts("SELECT id AS text FROM concert_events ORDER BY id", in: database) == ["e2", "e3"])
            #expect(
                try await Self.texts(
                    "SELECT event_id AS text FROM concert_subject_events ORDER BY event_id", in: database)
                    == ["e2", "e3"])
        }
    }

    @Test("A search keeps its targets alive, even with fresh answers, and so does a running lookup")
    func searchesKeepTheirTargets() async throws {
        try await withDatabase { database, _ in
            for key in ["artist:air", "artist:moby"] { try await Self.store(key, daysAgo: 30, in: database) }
            try await database.write { transaction in
                let job = JobInsertion(
                    id: "j", userID: "system", kind: "concerts.lookup", version: 1, payload: "{}", priority: 0,
                    maximumAttempts: 5, createdAt: .now(), runAt: .now())
                try transaction.jobs.insert(job)
                try transaction.concerts.setLookup(targetKey: "artist:slow", jobID: "j", now: Self.ago(30))
                // The answer is fresh for a year.
                let begun = try ConcertSearches(freshness: Self.day * 365).begin(
                    [RankedArtist(id: "a", name: "Air", rank: 1)], homeCity: nil, userID: "u", in: transaction)
                #expect(begun.lookups.isEmpty)
            }
            try await Self.upkeep(database).forget(at: .unguarded(.now()))
            #expect(try await Self.targets(database) == ["artist:air", "artist:slow"])
        }
    }

    @Test("Any number of targets is deleted, in several transactions")
    func deletionOfManyTargets() async throws {
        try await withDatabase { database, _ in
            try await database.write { transaction in
                for number in 0..<1_200 {
                    try transaction.concerts.storeAnswer(
                        targetKey: "artist:\(number)", status: "complete", warningCode: nil, attractionID: nil,
                        events: number.isMultiple(of: 100)
                            ? (0..<300).map { .init(id: "e\(number)-\($0)", text: "{}") } : [],
                        reach: .everything, now: Self.ago(30))
                }
            }
            try await Self.upkeep(database).forget(at: .unguarded(.now()))
            #expect(try await Self.targets(database) == [])
            #expect(try await Self.texts("SELECT event_id AS text FROM concert_subject_events", in: database) == [])
            #expect(try await Self.texts("SELECT id AS text FROM concert_events", in: database) == [])
        }
    }

    @Test("Old searches are deleted, and their lookups move to other people or are cancelled")
    func deletionOfOldSearches() async throws {
        try await withDatabase { database, _ in
            try await database.write { transaction in
                let searches = [("old", "ada", 8, ["j1", "j2"]), ("new", "bob", 1, ["j2"])]
                for (id, userID, days, jobs) in searches {
                    let search = ConcertSearchRecord(
                        id: "\(UUIDv7.lowerBound(of: Self.ago(days)))\(id)", userID: userID, kind: "artists",
                        homeCity: nil, createdAt: Self.ago(days))
                    try transaction.concerts.insertSearch(search)
                    for (rank, jobID) in jobs.enumerated() {
                        try transaction.concerts.setSearchTarget(
                            SearchTargetRecord(
                                rank: rank, artistID: "a", name: "Air", targetKey: "artist:air", jobID: jobID),
                            searchID: search.id)
                    }
                }
                for id in ["j1", "j2"] {
                    try transaction.jobs.insert(
                        JobInsertion(
                            id: id, userID: "system", kind: "concerts.lookup", version: 1, payload: "{}", priority: 0,
                            maximumAttempts: 5, createdAt: .now(), runAt: .now(), onBehalfOf: "ada"))
                }
            }
            var (cancelled, haveMoved): ([String], Bool) = ([], false)
            try await Self.upkeep(database).pruneSearches(at: .unguarded(.now())) { released in
                cancelled += released.cancelled.map(\.run.jobID)
                haveMoved = haveMoved || released.haveMoved
            }
            #expect(cancelled == ["j1"] && haveMoved)
            #expect(try await Self.texts("SELECT user_id AS text FROM concert_searches", in: database) == ["bob"])
            #expect(
                try await Self.texts("SELECT on_behalf_of AS text FROM jobs WHERE id = 'j2'", in: database) == ["bob"])
        }
    }

    @Test("The point of a city is deleted a month after it has expired")
    func expiredCityPoints() async throws {
        try await withDatabase { database, _ in
            try await database.write { transaction in
                for (key, days) in [("berlin", 59), ("prague", 61)] {
                    try transaction.concerts.storeCity(key: key, point: nil, now: Self.ago(days))
                }
            }
            try await Self.upkeep(database).forget(at: .unguarded(.now()))
            #expect(try await Self.texts("SELECT city_key AS text FROM concert_cities", in: database) == ["berlin"])
        }
    }
}
