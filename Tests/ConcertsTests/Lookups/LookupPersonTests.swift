import Concerts
import Model
import Storage
import TestSupport
import Testing

@Suite("The person of a lookup")
struct LookupPersonTests {
    /// People's searches for artists, whose lookups are queued jobs of the system.
    private struct Fixture: Sendable {
        let database: Database
        private let searches = ConcertSearches(freshness: .seconds(3_600))

        init(_ database: Database) {
            self.database = database
        }

        /// Begins a search and returns its id.
        func search(_ userID: String, _ names: String...) async throws -> String {
            let artists = names.enumerated().map { RankedArtist(id: $1, name: $1, rank: $0 + 1) }
            return try await database.write { transaction in
                let begun = try searches.begin(artists, homeCity: nil, userID: userID, in: transaction)
                try transaction.insert(begun.lookups)
                return begun.searchID
            }
        }

        func cancel(_ search: String, of userID: String) async throws -> ConcertSearches.ReleaseResult? {
            try await database.write { try searches.cancel(id: search, userID: userID, in: $0) }
        }

        func retry(_ search: String, of userID: String) async throws {
            try await database.write { transaction in
                guard case .begun(let lookups) = try searches.retry(id: search, userID: userID, in: transaction)
                else { return }
                try transaction.insert(lookups)
            }
        }

        /// The priorities of the lookups, in the order of their submission.
        func priorities() async throws -> [Int] {
            try await database.read { reader in
                try reader.rows("SELECT priority FROM jobs ORDER BY created_at, id").map { try $0["priority"] }
            }
        }

        /// The state and person of each lookup, in the order of their submission.
        func lookups() async throws -> [String] {
            try await database.read { reader in
                try reader.rows(
                    "SELECT state, COALESCE(on_behalf_of, '-') AS person FROM jobs ORDER BY created_at, id"
                ).map { "\(try $0["state"] as String) \(try $0["person"] as String)" }
            }
        }
    }

    @Test("A lookup is for the first person who asks and, once they cancel, for the one who has waited longest")
    func lookupFollowsWaitingPeople() async throws {
        try await withDatabase { database, _ in
            let fixture = Fixture(database)
            let first = try await fixture.search("ada", "Air")
            let second = try await fixture.search("bob", "Air")
            let third = try await fixture.search("cyd", "Air")
            #expect(try await fixture.lookups() == ["queued ada"])
            // Another person's cancellation changes nothing.
            #expect(try await fixture.cancel(second, of: "bob")?.haveMoved == false)
            #expect(try await fixture.lookups() == ["queued ada"])
            let released = try #require(try await fixture.cancel(first, of: "ada"))
            #expect(released.haveMoved && released.cancelled.isEmpty)
            #expect(try await fixture.lookups() == ["queued cyd"])
            #expect(try await fixture.cancel(third, of: "cyd")?.cancelled.count == 1)
            #expect(try await fixture.lookups() == ["cancelled cyd"])
        }
    }

    @Test("A repeated search waits after those that were already waiting")
    func repeatedSearch() async throws {
        try await withDatabase { database, _ in
            let fixture = Fixture(database)
            let old = try await fixture.search("ada", "Air")
            _ = try await fixture.cancel(old, of: "ada")
            let first = try await fixture.search("bob", "Air")
            _ = try await fixture.search("cyd", "Air")
            try await fixture.retry(old, of: "ada")
            _ = try await fixture.cancel(first, of: "bob")
            #expect(try await fixture.lookups() == ["cancelled ada", "queued cyd"])
        }
    }

    @Test("Another search of the same person does not move the lookup")
    func secondSearchOfOnePerson() async throws {
        try await withDatabase { database, _ in
            let fixture = Fixture(database)
            let first = try await fixture.search("ada", "Air")
            _ = try await fixture.search("ada", "Air", "Moby")
            _ = try await fixture.search("bob", "Air")
            #expect(try await fixture.cancel(first, of: "ada")?.haveMoved == false)
            #expect(try await fixture.lookups() == ["queued ada", "queued ada"])
        }
    }

    @Test("Another person who waits raises the priority, another search of the same person does not")
    func joiningPersonRaisesPriority() async throws {
        try await withDatabase { database, _ in
            let fixture = Fixture(database)
            _ = try await fixture.search("ada", "Air", "Moby")
            _ = try await fixture.search("ada", "Air")
            #expect(try await fixture.priorities() == [10, 10])
            _ = try await fixture.search("bob", "Moby")
            #expect(try await fixture.priorities() == [10, 11])
            _ = try await fixture.search("cyd", "Moby")
            #expect(try await fixture.priorities() == [10, 11])
            #expect(try await fixture.lookups() == ["queued ada", "queued ada"])
        }
    }

    @Test("Deleting searches moves their lookups to others who wait, or cancels them")
    func deletedSearches() async throws {
        try await withDatabase { database, _ in
            let fixture = Fixture(database)
            let first = try await fixture.search("ada", "Air", "Moby")
            _ = try await fixture.search("bob", "Moby")
            let released = try await database.write { try ConcertSearches.delete([first], as: .erased, in: $0) }
            #expect(released.cancelled.count == 1 && released.haveMoved)
            #expect(try await fixture.lookups() == ["cancelled ada", "queued bob"])
            let left = try await database.read { reader in
                try reader.row("SELECT COUNT(*) AS count FROM concert_search_subjects")?["count"] as Int?
            }
            #expect(left == 1)
        }
    }

    @Test("Erasing a person moves their lookups to others who wait, and removes the person from all")
    func erasedPerson() async throws {
        try await withDatabase { database, _ in
            let fixture = Fixture(database)
            _ = try await fixture.search("ada", "Air", "Moby")
            _ = try await fixture.search("bob", "Moby")
            let tables = PersonalTables(.people, .concerts, .jobs)
            func erase() async throws -> Bool {
                try await tables.eraseRows(of: "ada", in: database, by: SteppedWrites(database, checkpoints: true))
            }
            #expect(try await erase())
            #expect(try await fixture.lookups() == ["cancelled -", "queued bob"])
            #expect(try await !erase())
        }
    }
}

extension [PersonalTable] {
    /// A registry needs the table of people.
    fileprivate static let people = [
        PersonalTable(
            "users", keys: ["id"], owner: .person(column: "id"), erasure: .atEnd, export: .nothing(because: "a test"))
    ]
}
