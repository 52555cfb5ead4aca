import Concerts
import Model
import Storage
import TestSupport
import Testing

@Suite("Forgetting what nobody asks for")
struct ConcertUpkeepTests {
    private static let day = Duration.seconds(86_400)

    private static func upkeep(_ database: Database) -> ConcertUpkeep {
        ConcertUpkeep(database: database, searchRetention: day * 7, artistRetention: day * 90)
    }

    private static func ago(_ days: Int) -> Timestamp { Timestamp.now().advanced(by: .zero - day * days) }

    /// An answer of so many days ago, with its events.
    private static func store(
        _ key: String, attractionID: String? = nil, events: [String] = [], daysAgo: Int, in database: Database
    ) async throws {
        try await database.write { transaction in
            try transaction.concerts.storeAnswer(
                subjectKey: key, status: SearchOutcome.Coverage.complete.rawValue, warningCode: nil,
                attractionID: attractionID, events: events.map { ($0, "{}") }, isComplete: true, now: ago(daysAgo))
        }
    }

    private static func texts(_ query: SQL, in database: Database) async throws -> [String] {
        try await database.read { reader in try reader.rows(query).map { try $0["text"] } }
    }

    private static func subjects(_ database: Database) async throws -> [String] {
        try await texts("SELECT subject_key AS text FROM concert_subjects ORDER BY subject_key", in: database)
    }

    @Test("Names that nobody bears and areas go with the searches, artists much later, and events with the last of them")
    func ages() async throws {
        try await withDatabase { database, _ in
            try await Self.store("artist:new name", daysAgo: 6, in: database)
            try await Self.store("artist:old name", daysAgo: 8, in: database)
            try await Self.store("nearby:berlin:50", events: ["e1", "e2"], daysAgo: 8, in: database)
            try await Self.store("artist:air", attractionID: "K1", events: ["e2", "e3"], daysAgo: 80, in: database)
            try await Self.store("artist:abba", attractionID: "K2", events: ["e3", "e4"], daysAgo: 91, in: database)
            try await Self.upkeep(database).forget(at: .unguarded(.now()))
            #expect(try await Self.subjects(database) == ["artist:air", "artist:new name"])
            #expect(
                try await Self.texts("SELECT id AS text FROM concert_events ORDER BY id", in: database) == ["e2", "e3"])
            #expect(
                try await Self.texts("SELECT event_id AS text FROM concert_subject_events ORDER BY event_id", in: database)
                    == ["e2", "e3"])
        }
    }

    @Test("Who asks keeps it, be the answer fresh or not, and what is being looked up stays")
    func asked() async throws {
        try await withDatabase { database, _ in
            for key in ["artist:air", "artist:moby"] { try await Self.store(key, daysAgo: 30, in: database) }
            try await database.write { transaction in
                let job = JobInsertion(
                    id: "j", userID: "system", kind: "concerts.lookup", version: 1, payload: "{}", priority: 0,
                    maximumAttempts: 5, createdAt: .now(), runAt: .now())
                try transaction.jobs.insert(job)
                try transaction.concerts.setLookup(subjectKey: "artist:slow", jobID: "j", now: Self.ago(30))
                // An answer that is served for a year.
                _ = try ConcertSearches(freshness: Self.day * 365).begin(
                    [RankedArtist(id: "a", name: "Air", rank: 1)], homeCity: nil, userID: "u", in: transaction
                ) { _ in
                    Issue.record("It is known.")
                    return ""
                }
            }
            try await Self.upkeep(database).forget(at: .unguarded(.now()))
            #expect(try await Self.subjects(database) == ["artist:air", "artist:slow"])
        }
    }

    @Test("Any number goes, in parts")
    func many() async throws {
        try await withDatabase { database, _ in
            try await database.write { transaction in
                for number in 0..<1_200 {
                    try transaction.concerts.storeAnswer(
                        subjectKey: "artist:\(number)", status: "complete", warningCode: nil, attractionID: nil,
                        events: number.isMultiple(of: 100) ? (0..<300).map { ("e\(number)-\($0)", "{}") } : [],
                        isComplete: true, now: Self.ago(30))
                }
            }
            try await Self.upkeep(database).forget(at: .unguarded(.now()))
            #expect(try await Self.subjects(database) == [])
            #expect(try await Self.texts("SELECT event_id AS text FROM concert_subject_events", in: database) == [])
            #expect(try await Self.texts("SELECT id AS text FROM concert_events", in: database) == [])
        }
    }

    @Test("Old searches go, and a lookup that one of them still waits for is another's or nobody's")
    func searches() async throws {
        try await withDatabase { database, _ in
            try await database.write { transaction in
                let searches = [("old", "ada", 8, ["j1", "j2"]), ("new", "bob", 1, ["j2"])]
                for (id, userID, days, jobs) in searches {
                    let search = ConcertSearchRecord(
                        id: "\(UUIDv7.lowerBound(of: Self.ago(days)))\(id)", userID: userID, kind: "artists",
                        homeCity: nil, createdAt: Self.ago(days))
                    try transaction.concerts.insertSearch(search)
                    for (rank, jobID) in jobs.enumerated() {
                        try transaction.concerts.setSearchSubject(
                            ConcertSearchSubjectRecord(
                                rank: rank, artistID: "a", name: "Air", subjectKey: "artist:air", jobID: jobID),
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

    @Test("Where a city lies is forgotten when it would be looked up anew")
    func cities() async throws {
        try await withDatabase { database, _ in
            try await database.write { transaction in
                for (key, days) in [("berlin", 29), ("prague", 31)] {
                    try transaction.concerts.storeCity(key: key, point: nil, now: Self.ago(days))
                }
            }
            try await Self.upkeep(database).forget(at: .unguarded(.now()))
            #expect(try await Self.texts("SELECT city_key AS text FROM concert_cities", in: database) == ["berlin"])
        }
    }
}
