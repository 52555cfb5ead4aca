import Accounts
import Bootstrap
import Concerts
import Model
import Storage
import TestSupport
import Testing

@Suite("An erasure whose process dies")
struct ErasureTests {
    private struct Died: Error {}

    /// All tables, but the process dies when it has erased those after the one at `place`.
    private static func dying(before place: Int) -> PersonalTables {
        var tables = PersonalTables.all.all
        let death = PersonalTable(
            "death", keys: ["id"],
            erasure: .steps([ErasureStep(find: { _, _, _ in throw Died() }, erase: { _, _, _ in })]),
            export: .nothing(because: "there is no such table"))
        tables.insert(death, at: place)
        return PersonalTables(tables)
    }

    /// A row of every table that is erased by steps, and of some that go with the person.
    private func populate(_ database: Database, userID: String) async throws {
        try await database.write { transaction in
            for artist in 0..<3 {
                try transaction.execute(
                    """
                    INSERT INTO ranked_artists (user_id, id, rank, name)
                    VALUES (\(userID), \("a\(artist)"), \(artist), 'Air')
                    """)
            }
            try transaction.execute(
                """
                INSERT INTO concert_searches (id, user_id, kind, created_at, change)
                VALUES (\("s" + userID), \(userID), 'artists', 0, 0)
                """)
            try transaction.execute(
                """
                INSERT INTO concert_search_subjects (search_id, rank, artist_id, name, subject_key)
                VALUES (\("s" + userID), 1, 'a', 'Air', 'air')
                """)
            try transaction.execute(
                """
                INSERT INTO domain_schedules (kind, user_id, every, next_at, planned_at)
                VALUES ('diagnostics.echo', \(userID), 60000000, 0, 0)
                """)
            let now = Timestamp.now()
            for owner in [userID, SystemUser.id] {
                try transaction.insert(
                    JobInsertion(
                        id: UUIDv7.next(), userID: owner, kind: "diagnostics.echo", version: 1,
                        payload: #"{"for":"\#(userID)"}"#, priority: 0, maximumAttempts: 1, createdAt: now, runAt: now,
                        uniqueKey: nil, fingerprint: nil, claim: nil))
            }
            try transaction.rememberIdempotentAnswer(
                key: "k", userID: userID, fingerprint: "f", resourceIDs: ["r"], now: now)
        }
    }

    /// In how many tables a person has rows, of those that name them.
    private func tablesWithRows(of userID: String, in database: Database) async throws -> Set<String> {
        try await database.read { reader in
            var tables: Set<String> = []
            for table in PersonalTables.all.all {
                guard case .column(let column) = table.owner else { continue }
                let sql = SQL(stringLiteral: "SELECT 1 FROM \(table.name) WHERE \(column) = '\(userID)' LIMIT 1")
                if try reader.row(sql) != nil { tables.insert(table.name.description) }
            }
            let others = try reader.rows("SELECT 1 FROM jobs WHERE payload LIKE \("%\(userID)%")")
            if !others.isEmpty { tables.insert("jobs of others") }
            if try reader.row("SELECT 1 FROM concert_search_subjects") != nil { tables.insert("subjects") }
            return tables
        }
    }

    /// A number that SQLite raises whenever it writes all pages anew.
    private func compactions(_ database: Database) async throws -> Int {
        try await database.read { try #require(try $0.row(.onlySQLite("PRAGMA schema_version")))["schema_version"] }
    }

    @Test("is finished by the next look, wherever it stopped", arguments: 0...PersonalTables.all.all.count)
    func dies(before place: Int) async throws {
        try await withDatabase { database, _ in
            let accounts = Accounts(database: database)
            let token = try await accounts.addUser(name: "ada")
            let id = try #require(try await accounts.user(for: token)).id
            try await populate(database, userID: id)
            await #expect(throws: Died.self) {
                try await accounts.erase(
                    userID: id, tables: Self.dying(before: place), cancelJobs: accounts.cancelJobs)
            }
            // They are gone all the same, and with them what references them.
            #expect(try await accounts.user(for: token) == nil)
            let left = try await tablesWithRows(of: id, in: database)
            #expect(left.contains("erasures") && left.isDisjoint(with: ["tokens", "domain_schedules"]))

            let before = try await compactions(database)
            #expect(try await accounts.eraseLeftovers(tables: .all, cancelJobs: accounts.cancelJobs) == 1)
            #expect(try await tablesWithRows(of: id, in: database) == [])
            #expect(try await compactions(database) == before + 1)
            #expect(try await accounts.eraseLeftovers(tables: .all, cancelJobs: accounts.cancelJobs) == 0)
            #expect(try await compactions(database) == before + 1)
        }
    }

    @Test("is finished too when only the pages are left to be written anew")
    func diesBeforeCompaction() async throws {
        try await withDatabase { database, _ in
            let accounts = Accounts(database: database)
            _ = try await accounts.addUser(name: "ada")
            let id = try await accounts.user(named: "ada").id
            try await populate(database, userID: id)
            try await database.write { try $0.accounts.beginErasure(ofUser: id, now: .now()) }
            _ = try await accounts.cancelJobs(ofUser: id, limit: 10)
            while try await PersonalTables.all.eraseRows(of: id, batch: 1, in: database) {}
            #expect(try await tablesWithRows(of: id, in: database) == ["erasures"])
            let before = try await compactions(database)
            #expect(try await accounts.eraseLeftovers(tables: .all, cancelJobs: accounts.cancelJobs) == 1)
            #expect(try await tablesWithRows(of: id, in: database) == [])
            #expect(try await compactions(database) == before + 1)
        }
    }

    @Test("leaves nothing of a search that a request under way adds between two of its steps")
    func lateSearch() async throws {
        try await withDatabase { database, _ in
            let accounts = Accounts(database: database)
            _ = try await accounts.addUser(name: "ada")
            let id = try await accounts.user(named: "ada").id
            try await populate(database, userID: id)
            // Comes when the subjects of searches are erased and the searches are not.
            let added = Collector<String>()
            let request = PersonalTable(
                "request", keys: ["id"],
                erasure: .steps([
                    ErasureStep { _, _, _ in
                        added.elements.isEmpty ? ["late"] : []
                    } erase: { transaction, userID, found in
                        for search in found {
                            let record = ConcertSearchRecord(
                                id: search, userID: userID, kind: "artists", homeCity: nil, createdAt: .now())
                            try transaction.concerts.insertSearch(record)
                            let subject = ConcertSearchSubjectRecord(
                                rank: 1, artistID: "a", name: "Air", subjectKey: "air")
                            try transaction.concerts.setSearchSubject(subject, searchID: search)
                            added.append(search)
                        }
                    }
                ]), export: .nothing(because: "there is no such table"))
            var tables = PersonalTables.all.all
            let searches = try #require(tables.firstIndex { $0.name.description == "concert_searches" })
            let subjects = try #require(tables.firstIndex { $0.name.description == "concert_search_subjects" })
            // The order of the archive is the other way round.
            #expect(searches < subjects)
            tables.insert(request, at: searches + 1)
            try await accounts.erase(userID: id, tables: PersonalTables(tables), cancelJobs: accounts.cancelJobs)
            #expect(added.elements == ["late"])
            #expect(try await tablesWithRows(of: id, in: database) == [])
        }
    }
}
