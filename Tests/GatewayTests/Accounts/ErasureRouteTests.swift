import Accounts
import Composition
import Bootstrap
import Concerts
import Domains
import Foundation
import HTTPTypes
import Hummingbird
import HummingbirdTesting
import JobStorage
import Jobs
import Logging
import Model
import NIOCore
import Storage
import TestSupport
import Testing

@testable import AccountsHTTP
@testable import Gateway

@Suite("Erasing a person through the API", .timeLimit(.minutes(5)))
struct ErasureRouteTests {
    /// The tables with a column for the row's owner, and the name of that column.
    private static let personalTables = PersonalTables(of: .all).all.compactMap {
        table -> (name: String, column: String)? in
        if case .column(let column) = table.owner { (table.name.description, column.description) } else { nil }
    }

    /// The number of a person's rows in a table.
    private func count(
        _ table: (name: String, column: String), of id: String, in database: Database
    ) async throws -> Int {
        try await database.read {
            try $0.rows(SQL(stringLiteral: "SELECT 1 FROM \(table.name) WHERE \(table.column) = '\(id)'")).count
        }
    }

    /// The number of a person's rows in each table.
    private func counts(of id: String, in database: Database) async throws -> [String: Int] {
        var counts: [String: Int] = [:]
        for table in Self.personalTables { counts[table.name] = try await count(table, of: id, in: database) }
        return counts
    }

    /// The people for whom jobs of the system queue, oldest job first. Erasing a person deletes the jobs of the system
    /// that contain the person's id in another column.
    private func peopleOfSystemJobs(in database: Database) async throws -> [String?] {
        try await database.read {
            try $0.rows("SELECT on_behalf_of FROM jobs WHERE user_id = \(SystemUser.id) ORDER BY id").map {
                try $0["on_behalf_of"]
            }
        }
    }

    /// The suffixes of the database's files that contain a text. The `-shm` file is left out: it contains only page
    /// numbers, and closing it would drop the locks that SQLite has on it in this process.
    private func files(of database: Database, holding text: String) -> [String] {
        ["", "-wal"].filter { suffix in
            guard let bytes = FileManager.default.contents(atPath: database.path + suffix) else { return false }
            return bytes.range(of: Data(text.utf8)) != nil
        }
    }

    private func expectNothing(of id: String, in database: Database) async throws {
        // DELETE /v1/me waits at most ten seconds for the last row. A busy machine may need longer.
        while try await database.read({ try $0.row("SELECT 1 FROM erasures LIMIT 1") != nil }) {
            try await Task.sleep(for: .milliseconds(10))
        }
        // For 30 days, the devices of others are told that the person's items are gone.
        _ = try await database.write { transaction in
            try transaction.recordCleaningDue(now: .now())
            return try transaction.pruneGoneItems(
                before: .unguarded(.now().advanced(by: .seconds(60))), limit: 1_000)
        }
        try await DatabaseCleaning(database: database).run()
        #expect(try await !database.read { try $0.cleaningState().isDue })
        for table in Self.personalTables {
            #expect(try await count(table, of: id, in: database) == 0, "\(table.name)")
        }
        for text in [id, PopulatedPerson.name, PopulatedPerson.email] {
            #expect(files(of: database, holding: text) == [], "\(text)")
        }
        let attempts = try await database.read {
            try $0.rows("SELECT 1 FROM job_attempts WHERE job_id NOT IN (SELECT id FROM jobs)")
        }
        #expect(attempts.isEmpty)
    }

    @Test("A person's id, name and address remain in no row, page or log, and a late worker writes nothing")
    func nothingOfAPersonRemains() async throws {
        try await TestGateway.run { gateway in
            let person = try await PopulatedPerson(in: gateway)
            let (id, otherID, headers, token) = (person.id, person.otherID, person.headers, person.token)
            let database = gateway.database
            let others = try await counts(of: otherID, in: database)
            // Only people who are gone have a row in `erasures`.
            for table in Self.personalTables where table.name != "erasures" {
                #expect(try await count(table, of: id, in: database) > 0, "nobody made a row of \(table.name)")
            }
            for text in [id, PopulatedPerson.name, PopulatedPerson.email] {
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
                let erased = try await erase(#"{"username":"\#(PopulatedPerson.name)","token":"\#(token)"}"#)
                #expect(erased.status == .noContent)
                let after = try await client.execute(uri: "/v1/me", method: .get, headers: headers)
                #expect(after.status == .unauthorized)
            }
            try await expectNothing(of: id, in: database)
            // The job that queued for the person continues.
            #expect(try await peopleOfSystemJobs(in: database) == [nil])

            // The worker that runs one of their jobs reports after the erasure.
            let outcomes = try await database.write { transaction in
                [
                    try transaction.jobs.succeed(
                        person.running, userID: id, kind: "diagnostics.echo", result: "{}", now: .now()),
                    try transaction.jobs.fail(
                        person.running, userID: id, kind: "diagnostics.echo", code: "broken",
                        message: PopulatedPerson.email, retryAt: nil, now: .now()),
                    try transaction.jobs.release(person.running, afterCrash: true, crashWeight: 1),
                ]
            }
            #expect(outcomes == [false, false, false])
            try await expectNothing(of: id, in: database)
            // Follows and blocks end for both, and the other person's devices are told.
            let shared = [
                "follows", "blocks", "follow_requests", "follow_beginnings", "relation_changes", "gone_items",
                "change_log",
            ]
            let rest = try await counts(of: otherID, in: database).filter { !shared.contains($0.key) }
            #expect(rest == others.filter { !shared.contains($0.key) })
            #expect(others["jobs"] == PopulatedPerson.otherJobs)
        }
    }

    @Test("Rows that a late request writes for an erased person are found and erased")
    func leftoversAreErased() async throws {
        try await TestGateway.run { gateway in
            let person = try await PopulatedPerson(in: gateway)
            let (id, headers) = (person.id, person.headers)
            let erasure = UserErasure(
                accounts: Accounts(database: gateway.database), queue: gateway.application.services.queue,
                tables: PersonalTables(of: .all))
            try await erasure.eraseLeftovers()
            try await gateway.withClient { client in
                let answer = try await client.execute(uri: "/v1/me", method: .get, headers: headers)
                #expect(answer.status == .ok)
            }
            try await erasure.erase(userID: id)
            let late = sampleJob(UUIDv7.next(), id, payload: "{}", .now())
            try await gateway.database.write { transaction in
                try transaction.jobs.insert(late)
                try transaction.jobs.insert(
                    sampleJob(UUIDv7.next(), SystemUser.id, payload: "{}", .now(), onBehalfOf: id))
                try transaction.concerts.replaceRankedArtists([RankedArtist(id: "a", name: "Air", rank: 1)], userID: id)
            }
            #expect(!files(of: gateway.database, holding: id).isEmpty)
            try await erasure.eraseLeftovers()
            try await expectNothing(of: id, in: gateway.database)
            #expect(try await peopleOfSystemJobs(in: gateway.database) == [nil, nil])
        }
    }

    @Test("A request that ends after its person's removal is refused, and what it wrote is erased")
    func removedMeanwhile() async throws {
        try await TestGateway.run { gateway in
            let database = gateway.database
            let accounts = Accounts(database: database)
            let headers = try await gateway.authorization()
            let id = try await accounts.user(named: "ada").id
            // Another process removes the person before the request writes its row.
            let slow = GatewayDomain("slow") { routing in
                routing.signedIn.post("slow") { _, _ -> Response in
                    try await accounts.removeUser(named: "ada", tables: PersonalTables(of: .all))
                    try await database.write {
                        try $0.concerts.replaceRankedArtists([RankedArtist(id: "a", name: "Air", rank: 1)], userID: id)
                    }
                    return Response(status: .accepted)
                }
            }
            let logger = Logger.silent
            let began = Timestamp.now()
            let services = gateway.application.services
            let application = GatewayApplication(
                services: services, domains: gateway.application.domains + [slow], requestLimit: nil, logger: logger)
            try await application.build(host: "127.0.0.1", port: 0) { _ in }.test(.router) { client in
                let answer = try await client.execute(uri: "/v1/slow", method: .post, headers: headers)
                #expect(answer.status == .unauthorized)
            }
            let erasure = UserErasure(accounts: accounts, queue: services.queue, tables: PersonalTables(of: .all))
            let ended = Timestamp.now()
            try await erasure.eraseMarked(now: began)
            let isLeft = try await database.read { try $0.row("SELECT 1 FROM erasures WHERE user_id = \(id)") != nil }
            #expect(isLeft, "another process may still be erasing it")
            try await erasure.eraseMarked(now: ended.advanced(by: .seconds(10)))
            try await expectNothing(of: id, in: database)
        }
    }

    @Test("One run erases the leftovers of many people and marks the log for truncation once")
    func leftoversOfManyPeople() async throws {
        try await TestGateway.run { gateway in
            let erasure = UserErasure(
                accounts: Accounts(database: gateway.database), queue: gateway.application.services.queue,
                tables: PersonalTables(of: .all))
            let gone = (0..<20).map { "gone-\($0)" }
            try await gateway.database.write { transaction in
                for id in gone { try transaction.jobs.insert(sampleJob(UUIDv7.next(), id, payload: "{}", .now())) }
            }
            try await erasure.eraseLeftovers()
            let due = try await gateway.database.read { try $0.cleaningState().logDueSince }
            #expect(due != nil)
            let counts = try await gateway.database.read { try $0.rows("SELECT 1 FROM job_counts").count }
            #expect(counts == 0)
            // A second run finds nobody and leaves the mark as it is.
            try await erasure.eraseLeftovers()
            #expect(try await gateway.database.read { try $0.cleaningState().logDueSince } == due)
            try await DatabaseCleaning(database: gateway.database).run()
            for id in gone { #expect(files(of: gateway.database, holding: id + "\"") == []) }
            #expect(try await !gateway.database.read { try $0.cleaningState().isDue })
        }
    }
}
