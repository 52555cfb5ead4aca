import Accounts
import Composition
import Bootstrap
import Concerts
import Domains
import JobStorage
import Model
import Storage
import TestSupport
import Testing

@Suite("Erasing a user and their rows")
struct UserErasureTests {
    private struct ProcessDeath: Error {}

    /// All tables, with one inserted at `place` whose erasure throws. Tables are erased from the last to the first.
    private static func dying(before place: Int) -> PersonalTables {
        var tables = PersonalTables(of: .all).all
        let death = PersonalTable(
            "death", keys: ["id"],
            erasure: .steps([ErasureStep(find: { _, _, _ in throw ProcessDeath() }, erase: { _, _, _ in })]),
            export: .nothing(because: "there is no such table"))
        tables.insert(death, at: place)
        return PersonalTables(tables)
    }

    /// Inserts a row into every table that is erased in steps, and into some that are deleted with the user.
    private func populate(_ database: Database, userID: String) async throws {
        try await database.write { transaction in
            for artist in 0..<3 {
                try transaction.run(
                    """
                    INSERT INTO ranked_artists (user_id, id, rank, name)
                    VALUES (\(userID), \("a\(artist)"), \(artist), 'Air')
                    """)
            }
            try transaction.run(
                """
                INSERT INTO concert_searches (id, user_id, kind, created_at, change)
                VALUES (\("s" + userID), \(userID), 'artists', 0, 0)
                """)
            try transaction.run(
                """
                INSERT INTO concert_search_subjects (search_id, rank, artist_id, name, subject_key)
                VALUES (\("s" + userID), 1, 'a', 'Air', 'air')
                """)
            try transaction.run(
                """
                INSERT INTO domain_schedules (kind, user_id, every, next_at, planned_at)
                VALUES ('diagnostics.echo', \(userID), 60000000, 0, 0)
                """)
            let now = Timestamp.now()
            for owner in [userID, SystemUser.id] {
                let job = UUIDv7.next()
                try transaction.jobs.insert(
                    JobInsertion(
                        id: job, userID: owner, kind: "diagnostics.echo", version: 1,
                        payload: #"{"for":"\#(userID)"}"#, priority: 0, maximumAttempts: 1, createdAt: now, runAt: now,
                        uniqueKey: nil, fingerprint: nil, claim: nil))
                try transaction.jobs.insertDiagnosticStep(0, of: JobRun(jobID: job, run: 1), now: now)
            }
            try transaction.jobs.rememberIdempotentAnswer(
                key: "k", userID: userID, fingerprint: "f", resourceIDs: ["r"], now: now)
        }
    }

    /// The tables in which a person has rows, by the owner's column or by other ways to name the person.
    private func tablesWithRows(of userID: String, in database: Database) async throws -> Set<String> {
        try await database.read { reader in
            var tables: Set<String> = []
            for table in PersonalTables(of: .all).all {
                guard case .column(let column) = table.owner else { continue }
                let sql = SQL(stringLiteral: "SELECT 1 FROM \(table.name) WHERE \(column) = '\(userID)' LIMIT 1")
                if try reader.row(sql) != nil { tables.insert(table.name.description) }
            }
            let others = try reader.rows("SELECT 1 FROM jobs WHERE payload LIKE \("%\(userID)%")")
            if !others.isEmpty { tables.insert("jobs of others") }
            if try reader.row("SELECT 1 FROM concert_search_subjects") != nil { tables.insert("subjects") }
            if try reader.row("SELECT 1 FROM diagnostic_steps") != nil { tables.insert("steps") }
            return tables
        }
    }

    /// Deletes one row in each step.
    private static func writes(_ database: Database) -> SteppedWrites {
        SteppedWrites(database, checkpoints: true, size: StepSize(units: 1, maximum: 1))
    }

    @discardableResult
    private func eraseLeftovers(_ accounts: Accounts, _ database: Database) async throws -> Int {
        try await accounts.eraseLeftovers(
            tables: PersonalTables(of: .all), by: Self.writes(database), cancelJobs: accounts.cancelJobs)
    }

    /// Whether the write-ahead log is due for truncation.
    private func isCleaningDue(_ database: Database) async throws -> Bool {
        try await database.read { try $0.cleaningState().logDueSince != nil }
    }

    @Test(
        "An erasure whose process dies at any table is finished by the next run",
        arguments: 0...PersonalTables(of: .all).all.count)
    func erasureContinuesAfterACrash(before place: Int) async throws {
        try await withDatabase { database, _ in
            let accounts = Accounts(database: database)
            let token = try await accounts.addUser(name: "ada")
            let id = try #require(try await accounts.user(for: token)).id
            try await populate(database, userID: id)
            await #expect(throws: ProcessDeath.self) {
                try await accounts.erase(
                    userID: id, tables: Self.dying(before: place), by: Self.writes(database),
                    cancelJobs: accounts.cancelJobs)
            }
            // The user is deleted although the erasure failed, with all rows that reference the user.
            #expect(try await accounts.user(for: token) == nil)
            let left = try await tablesWithRows(of: id, in: database)
            #expect(left.contains("erasures") && left.isDisjoint(with: ["tokens", "domain_schedules"]))

            #expect(try await !isCleaningDue(database))
            #expect(try await eraseLeftovers(accounts, database) == 1)
            #expect(try await tablesWithRows(of: id, in: database) == [])
            #expect(try await isCleaningDue(database))
            // The next run has nothing to do.
            try await database.truncateLogAfterReads()
            #expect(try await eraseLeftovers(accounts, database) == 0)
            #expect(try await !isCleaningDue(database))
        }
    }

    @Test("An erasure that lacks only the mark for truncating the log is finished, too")
    func diesBeforeNote() async throws {
        try await withDatabase { database, _ in
            let accounts = Accounts(database: database)
            _ = try await accounts.addUser(name: "ada")
            let id = try await accounts.user(named: "ada").id
            try await populate(database, userID: id)
            try await database.write { try $0.accounts.beginErasure(ofUser: id, now: .now()) }
            _ = try await accounts.cancelJobs(ofUser: id, by: Self.writes(database))
            while try await PersonalTables(of: .all).eraseRows(of: id, in: database, by: Self.writes(database)) {}
            #expect(try await tablesWithRows(of: id, in: database) == ["erasures"])
            #expect(try await eraseLeftovers(accounts, database) == 1)
            #expect(try await tablesWithRows(of: id, in: database) == [])
            #expect(try await isCleaningDue(database))
        }
    }

    @Test("A search that a request adds between two steps of the erasure is erased, too")
    func lateSearch() async throws {
        try await withDatabase { database, _ in
            let accounts = Accounts(database: database)
            _ = try await accounts.addUser(name: "ada")
            let id = try await accounts.user(named: "ada").id
            try await populate(database, userID: id)
            // Inserts the search after the targets of searches are erased, and before the searches are.
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
                            let target = SearchTargetRecord(
                                rank: 1, artistID: "a", name: "Air", targetKey: "air")
                            try transaction.concerts.setSearchTarget(target, searchID: search)
                            added.append(search)
                        }
                    }
                ]), export: .nothing(because: "there is no such table"))
            var tables = PersonalTables(of: .all).all
            let searches = try #require(tables.firstIndex { $0.name.description == "concert_searches" })
            let subjects = try #require(tables.firstIndex { $0.name.description == "concert_search_subjects" })
            // Tables are in the order of the archive. Erasing goes through them from the last to the first.
            #expect(searches < subjects)
            tables.insert(request, at: searches + 1)
            try await accounts.erase(
                userID: id, tables: PersonalTables(tables), by: Self.writes(database), cancelJobs: accounts.cancelJobs)
            #expect(added.elements == ["late"])
            #expect(try await tablesWithRows(of: id, in: database) == [])
        }
    }

    @Test("An erasure waits for refused ends of the user's jobs, and of system jobs that name the user")
    func refusedEnds() async throws {
        struct RefusalError: Error {}
        try await withDatabase { database, _ in
            try await database.write { transaction in
                try transaction.run("CREATE TABLE told (owner TEXT, ending TEXT)")
                try transaction.run("CREATE TABLE refusing (number BIGINT)")
                try transaction.run("INSERT INTO refusing (number) VALUES (1)")
            }
            let end = CompletionHook(kind: "diagnostics.echo") { job, transaction in
                guard try transaction.row("SELECT 1 FROM refusing") == nil else { throw RefusalError() }
                try transaction.run(
                    "INSERT INTO told (owner, ending) VALUES (\(job.userID), \("\(job.ending)"))")
            }
            database.register([end]) { _ in }
            let accounts = Accounts(database: database)
            _ = try await accounts.addUser(name: "ada")
            let id = try await accounts.user(named: "ada").id
            try await populate(database, userID: id)
            try await accounts.erase(
                userID: id, tables: PersonalTables(of: .all), by: Self.writes(database), cancelJobs: accounts.cancelJobs
            )
            // The user and the jobs are deleted, and the rows that the ends may read are kept.
            let left = try await tablesWithRows(of: id, in: database)
            #expect(left.isSuperset(of: ["erasures", "job_ends", "concert_searches", "subjects"]))
            #expect(left.isDisjoint(with: ["jobs", "jobs of others"]))
            let owed = "SELECT user_id FROM job_ends ORDER BY user_id" as SQL
            let owners = Set([id, SystemUser.id])
            #expect(try await Set(database.read { try $0.rows(owed).map { try $0["user_id"] as String } }) == owners)
            await #expect(throws: PendingHooks.self) {
                try await eraseLeftovers(accounts, database)
            }
            // The ends are due and are refused again.
            try await database.write { try $0.run("UPDATE job_ends SET next_at = 0") }
            await #expect(throws: PendingHooks.self) {
                try await eraseLeftovers(accounts, database)
            }
            #expect(try await tablesWithRows(of: id, in: database) == left)

            try await database.write { transaction in
                try transaction.run("DELETE FROM refusing")
                try transaction.run("UPDATE job_ends SET next_at = 0")
            }
            #expect(try await eraseLeftovers(accounts, database) == 1)
            #expect(try await tablesWithRows(of: id, in: database) == [])
            #expect(try await database.read { try $0.rows(owed) }.isEmpty)
            let told = try await database.read {
                try $0.rows("SELECT owner, ending FROM told").map {
                    [try $0["owner"] as String, try $0["ending"] as String]
                }
            }
            #expect(Set(told) == [[id, "erased"], [SystemUser.id, "erased"]] && told.count == 2)
        }
    }

    @Test("An erasure that fails is reported, and the erasures of other users are finished")
    func othersGoOn() async throws {
        try await withDatabase { database, _ in
            let accounts = Accounts(database: database)
            var people: [String] = []
            for name in ["ada", "bob", "eve"] {
                _ = try await accounts.addUser(name: name)
                let id = try await accounts.user(named: name).id
                try await populate(database, userID: id)
                // Ada's erasure is the first to be continued; Bob's fails.
                let began = Timestamp(microseconds: Int64(people.count))
                try await database.write { try $0.accounts.beginErasure(ofUser: id, now: began) }
                people.append(id)
            }
            let failing = people[1]
            let trouble = PersonalTable(
                "trouble", keys: ["id"],
                erasure: .steps([
                    ErasureStep { _, userID, _ in
                        if userID == failing { throw ProcessDeath() }
                        return []
                    } erase: { _, _, _ in
                    }
                ]), export: .nothing(because: "there is no such table"))
            let tables = PersonalTables(PersonalTables(of: .all).all + [trouble])
            await #expect(throws: ProcessDeath.self) {
                try await accounts.eraseLeftovers(
                    tables: tables, by: Self.writes(database), cancelJobs: accounts.cancelJobs)
            }
            for id in people {
                let left = try await tablesWithRows(of: id, in: database)
                #expect(left.contains("erasures") == (id == failing))
                #expect(left.contains("ranked_artists") == (id == failing))
            }
            #expect(try await eraseLeftovers(accounts, database) == 1)
            #expect(try await tablesWithRows(of: failing, in: database) == [])
        }
    }
}
