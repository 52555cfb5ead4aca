import Accounts
import Bootstrap
import Concerts
import Foundation
import HTTPTypes
import Hummingbird
import HummingbirdTesting
import Jobs
import Model
import NIOCore
import Storage
import Testing

@testable import Gateway

@Suite("Erasing a person", .timeLimit(.minutes(5)))
struct ErasureTests {
    private static let name = "Žofie-of-many-pages"
    private static let email = "zofie.of.many.pages@example.org"

    /// Tables with a column that says whose a row is, and that column.
    private static let personalTables = PersonalTables.all.all.compactMap { table -> (name: String, column: String)? in
        if case .column(let column) = table.owner { (table.name.description, column.description) } else { nil }
    }

    /// How many rows of a table are a person's.
    private func count(
        _ table: (name: String, column: String), of id: String, in database: Database
    ) async throws -> Int {
        try await database.read {
            try $0.rows(SQL(stringLiteral: "SELECT 1 FROM \(table.name) WHERE \(table.column) = '\(id)'")).count
        }
    }

    /// How many rows are a person's, by table.
    private func counts(of id: String, in database: Database) async throws -> [String: Int] {
        var counts: [String: Int] = [:]
        for table in Self.personalTables { counts[table.name] = try await count(table, of: id, in: database) }
        return counts
    }

    /// Makes a person who has something in every table, their rows among those of another.
    private func populate(_ gateway: TestGateway) async throws -> (
        id: String, otherID: String, headers: HTTPFields, running: JobRun
    ) {
        let accounts = Accounts(database: gateway.database)
        let token = try await gateway.addUser(Self.name)
        let headers: HTTPFields = [.authorization: "Bearer \(token.secret.reveal())"]
        let other = try await gateway.addUser("bob")
        let id = try #require(try await accounts.user(for: token)).id
        let otherID = try #require(try await accounts.user(for: other)).id
        _ = try await accounts.signIn(token: token, userAgent: "Firefox")
        _ = try await accounts.signInLink(user: Self.name)
        let now = Timestamp.now()
        let running = JobRun(jobID: UUIDv7.next(), run: 1)
        gateway.database.register([JobEnd(kind: "diagnostics.echo") { _, _ in }]) { _ in }
        let owed = #"{"version":1,"payload":"{}","ending":{"cancelled":{}}}"#
        try await gateway.database.write { transaction in
            try transaction.execute("UPDATE users SET email = \(Self.email), google_subject = 'g1' WHERE id = \(id)")
            for owner in [id, otherID] {
                try transaction.concerts.replaceRankedArtists(
                    [RankedArtist(id: "a-" + owner, name: "Muse", rank: 1)], userID: owner)
                let search = ConcertSearchRecord(
                    id: UUIDv7.next(), userID: owner, kind: "artists", homeCity: nil, createdAt: now)
                try transaction.concerts.insertSearch(search)
                try transaction.concerts.setSearchSubject(
                    ConcertSearchSubjectRecord(rank: 1, artistID: "a", name: "Muse", subjectKey: "muse"),
                    searchID: search.id)
                try transaction.execute(
                    """
                    INSERT INTO connections (user_id, provider, state, change, updated_at)
                    VALUES (\(owner), 'gemini', 'connected', 1, 0)
                    """)
                try transaction.jobs.rememberIdempotentAnswer(
                    key: "key of " + owner, userID: owner, fingerprint: "f", resourceIDs: [search.id], now: now)
                try transaction.execute(
                    """
                    INSERT INTO job_ends (job_id, user_id, kind, ended, tries, next_at)
                    VALUES (\("end of " + owner), \(owner), 'diagnostics.echo', \(owed), 1, \(now))
                    """)
            }
            // Done for everybody, with a person's id in it.
            try transaction.jobs.insert(job(UUIDv7.next(), SystemUser.id, payload: #"{"for":"\#(id)"}"#, now))
            try transaction.jobs.insert(
                job(UUIDv7.next(), SystemUser.id, payload: "{}", now, onBehalfOf: id))
            try transaction.jobs.insert(
                job(
                    running.jobID, id, payload: #"{"mail":"\#(Self.email)"}"#, now,
                    claim: .init(worker: "w/1", leaseExpiresAt: .now().advanced(by: .seconds(60)))))
        }
        // A run of theirs that failed.
        let failed = JobRun(jobID: UUIDv7.next(), run: 1)
        try await gateway.database.write { transaction in
            try transaction.jobs.insert(
                job(
                    failed.jobID, id, payload: "{}", now,
                    claim: .init(worker: "w/1", leaseExpiresAt: .now().advanced(by: .seconds(60)))))
            _ = try transaction.jobs.fail(
                failed, userID: id, kind: "diagnostics.echo", code: "broken", message: Self.email, retryAt: nil,
                now: now)
        }
        // Whatever else there may be of somebody.
        try await gateway.database.write { transaction in
            for owner in [id, otherID] { try transaction.insertMissingPersonalRows(of: owner) }
        }
        // Enough for pages to split, be freed and be filled again.
        for _ in 0..<4 {
            try await gateway.database.write { transaction in
                for index in 0..<400 {
                    let owner = index % 2 == 0 ? id : otherID
                    let text = String(repeating: owner + Self.email, count: index % 7)
                    try transaction.jobs.insert(
                        job(UUIDv7.next(), owner, payload: #"{"text":"\#(owner == id ? text : "x")"}"#, now))
                }
            }
            try await gateway.database.checkpoint()
        }
        return (id, otherID, headers, running)
    }

    private func job(
        _ id: String, _ owner: String, payload: String, _ now: Timestamp, claim: JobInsertion.Claim? = nil,
        onBehalfOf: String? = nil
    ) -> JobInsertion {
        JobInsertion(
            id: id, userID: owner, kind: "diagnostics.echo", version: 1, payload: payload, priority: 0,
            maximumAttempts: 1, createdAt: now, runAt: now, claim: claim, onBehalfOf: onBehalfOf)
    }

    /// Whom the system's jobs queue under; those that name a person otherwise are gone with them.
    private func peopleOfSystemJobs(in database: Database) async throws -> [String?] {
        try await database.read {
            try $0.rows("SELECT on_behalf_of FROM jobs WHERE user_id = \(SystemUser.id) ORDER BY id").map {
                try $0["on_behalf_of"]
            }
        }
    }

    /// The files of the database that hold a text.
    private func files(of database: Database, holding text: String) -> [String] {
        ["", "-wal", "-shm"].filter { suffix in
            guard let bytes = FileManager.default.contents(atPath: database.path + suffix) else { return false }
            return bytes.range(of: Data(text.utf8)) != nil
        }
    }

    private func expectNothing(of id: String, in database: Database) async throws {
        // The answer to who leaves waits ten seconds at most for their last row; a busy machine takes longer.
        while try await database.read({ try $0.row("SELECT 1 FROM erasures LIMIT 1") != nil }) {
            try await Task.sleep(for: .milliseconds(10))
        }
        try await DatabaseCleaning(database: database).run()
        #expect(try await !database.read { try $0.cleaningState().isDue })
        for table in Self.personalTables {
            #expect(try await count(table, of: id, in: database) == 0, "\(table.name)")
        }
        for text in [id, Self.name, Self.email] {
            #expect(files(of: database, holding: text) == [], "\(text)")
        }
        let attempts = try await database.read {
            try $0.rows("SELECT 1 FROM job_attempts WHERE job_id NOT IN (SELECT id FROM jobs)")
        }
        #expect(attempts.isEmpty)
    }

    @Test("no row, page or log keeps their id, name or address, and what was under way writes nothing")
    func everything() async throws {
        try await TestGateway.run { gateway in
            let (id, otherID, headers, running) = try await populate(gateway)
            let database = gateway.database
            let others = try await counts(of: otherID, in: database)
            // That it is being erased is known of nobody who is there.
            for table in Self.personalTables where table.name != "erasures" {
                #expect(try await count(table, of: id, in: database) > 0, "nobody made a row of \(table.name)")
            }
            for text in [id, Self.name, Self.email] {
                #expect(!files(of: database, holding: text).isEmpty)
            }
            try await gateway.withClient { client in
                func erase(_ body: String) async throws -> TestResponse {
                    try await client.execute(
                        uri: "/v1/me", method: .delete, headers: headers, body: ByteBuffer(string: body))
                }
                for wrong in [#"{"username":"bob"}"#, "{}"] {
                    let refused = try await erase(wrong)
                    #expect(refused.status == .unprocessableContent)
                }
                let before = try await client.execute(uri: "/v1/me", method: .get, headers: headers)
                #expect(before.status == .ok)
                let erased = try await erase(#"{"username":"\#(Self.name)"}"#)
                #expect(erased.status == .noContent)
                let after = try await client.execute(uri: "/v1/me", method: .get, headers: headers)
                #expect(after.status == .unauthorized)
            }
            try await expectNothing(of: id, in: database)
            // What is done for everybody goes on.
            #expect(try await peopleOfSystemJobs(in: database) == [nil])

            // The worker that ran one of their jobs comes back.
            let outcomes = try await database.write { transaction in
                [
                    try transaction.jobs.succeed(
                        running, userID: id, kind: "diagnostics.echo", result: "{}", now: .now()),
                    try transaction.jobs.fail(
                        running, userID: id, kind: "diagnostics.echo", code: "broken", message: Self.email,
                        retryAt: nil, now: .now()),
                    try transaction.jobs.release(running, afterCrash: true, crashWeight: 1),
                ]
            }
            #expect(outcomes == [false, false, false])
            try await expectNothing(of: id, in: database)
            #expect(try await counts(of: otherID, in: database) == others)
            #expect(others["jobs"] == 801)
        }
    }

    @Test("what a request that was under way writes in their name is found and erased")
    func leftovers() async throws {
        try await TestGateway.run { gateway in
            let (id, _, headers, _) = try await populate(gateway)
            let erasure = PersonErasure(
                accounts: Accounts(database: gateway.database), queue: gateway.application.services.queue, tables: .all)
            try await erasure.eraseLeftovers()
            try await gateway.withClient { client in
                let answer = try await client.execute(uri: "/v1/me", method: .get, headers: headers)
                #expect(answer.status == .ok)
            }
            try await erasure.erase(userID: id)
            let late = job(UUIDv7.next(), id, payload: "{}", .now())
            try await gateway.database.write { transaction in
                try transaction.jobs.insert(late)
                try transaction.jobs.insert(job(UUIDv7.next(), SystemUser.id, payload: "{}", .now(), onBehalfOf: id))
                try transaction.concerts.replaceRankedArtists([RankedArtist(id: "a", name: "Air", rank: 1)], userID: id)
            }
            #expect(!files(of: gateway.database, holding: id).isEmpty)
            try await erasure.eraseLeftovers()
            try await expectNothing(of: id, in: gateway.database)
            #expect(try await peopleOfSystemJobs(in: gateway.database) == [nil, nil])
        }
    }

    @Test("what is left of many people is erased at once, with one note that the log is to be cut off, for all of them")
    func many() async throws {
        try await TestGateway.run { gateway in
            let erasure = PersonErasure(
                accounts: Accounts(database: gateway.database), queue: gateway.application.services.queue, tables: .all)
            let gone = (0..<20).map { "gone-\($0)" }
            try await gateway.database.write { transaction in
                for id in gone { try transaction.jobs.insert(job(UUIDv7.next(), id, payload: "{}", .now())) }
            }
            try await erasure.eraseLeftovers()
            let due = try await gateway.database.read { try $0.cleaningState().logDueSince }
            #expect(due != nil)
            let counts = try await gateway.database.read { try $0.rows("SELECT 1 FROM job_counts").count }
            #expect(counts == 0)
            // Nobody is left: what is due stays noted as it was.
            try await erasure.eraseLeftovers()
            #expect(try await gateway.database.read { try $0.cleaningState().logDueSince } == due)
            try await DatabaseCleaning(database: gateway.database).run()
            for id in gone { #expect(files(of: gateway.database, holding: id + "\"") == []) }
            #expect(try await !gateway.database.read { try $0.cleaningState().isDue })
        }
    }

    @Test("the archive has every row of theirs once and nobody else's, and no secret")
    func export() async throws {
        try await TestGateway.run { gateway in
            let (id, _, headers, _) = try await populate(gateway)
            try await gateway.withClient { client in
                let response = try await client.execute(uri: "/v1/me/export", method: .get, headers: headers)
                #expect(response.headers[.contentDisposition]?.hasPrefix("attachment") == true)
                let text = String(buffer: response.body)
                let archive = try #require(
                    try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any])
                for table in PersonalTables.all.all {
                    guard case .rows(let member, _) = table.export else { continue }
                    let rows = try #require(archive[member.description] as? [[String: Any]])
                    let keys = Set(rows.map { "\($0["id"] ?? "")\($0["provider"] ?? "")\($0["key"] ?? "")" })
                    if member.description == "jobs" { #expect(rows.count == 802 && keys.count == 802) }
                    #expect(!rows.isEmpty, "\(table.name)")
                }
                let profile = try #require((archive["profile"] as? [[String: Any]])?.first)
                #expect(profile["id"] as? String == id && profile["email"] as? String == Self.email)
                let hashes = try await gateway.database.read { reader in
                    try ["tokens", "sessions", "sign_in_links"].flatMap { table in
                        try reader.rows(SQL(stringLiteral: "SELECT hash FROM \(table)"))
                            .map { try $0["hash"] as String }
                    }
                }
                for secret in hashes + ["bl_", "bls_", "bob"] { #expect(!text.contains(secret)) }
            }
        }
    }

    @Test("an archive of large jobs is read and sent a few at a time")
    func exportInParts() async throws {
        try await TestGateway.run { gateway in
            let token = try await gateway.addUser("ada")
            let id = try #require(try await Accounts(database: gateway.database).user(for: token)).id
            let payload = #"{"text":"\#(String(repeating: "x", count: 200 << 10))"}"#
            var ids: [String] = []
            for index in 0..<23 {
                let job = job(UUIDv7.next(), id, payload: index % 2 == 0 ? payload : "{}", .now())
                try await gateway.database.write { try $0.jobs.insert(job) }
                ids.append(job.id)
            }
            let writer = CollectingWriter()
            try await ExportRoutes(database: gateway.database, tables: .all).archive(of: id).write(writer)
            let archive = try #require(
                try JSONSerialization.jsonObject(with: Data(writer.bytes)) as? [String: Any])
            let jobs = try #require(archive["jobs"] as? [[String: Any]])
            #expect(jobs.map { $0["id"] as? String } == ids)
            // What there are bytes for, and the job that goes beyond.
            #expect(writer.largestPart < 512 << 10)
        }
    }
}
