import Accounts
import Composition
import Bootstrap
import Domains
import HTTPTypes
import HummingbirdTesting
import JobStorage
import Jobs
import Model
import NIOCore
import Storage
import TestSupport
import Testing

@testable import AccountsHTTP
@testable import Gateway

@Suite("The order of erasures", .timeLimit(.minutes(5)))
struct ErasureOrderTests {
    private func erasure(in gateway: TestGateway) -> UserErasure {
        UserErasure(
            accounts: Accounts(database: gateway.database), queue: gateway.application.services.queue,
            tables: PersonalTables(of: .all))
    }

    /// Adds a person with jobs; returns their id.
    private func person(_ name: String, jobs: Int, in gateway: TestGateway) async throws -> String {
        try await person(gateway.addUser(name), jobs: jobs, in: gateway)
    }

    /// Adds jobs of the person with a token; returns the person's id.
    private func person(_ token: APIToken, jobs: Int, in gateway: TestGateway) async throws -> String {
        let id = try #require(try await Accounts(database: gateway.database).user(for: token)).id
        try await gateway.database.write { transaction in
            for _ in 0..<jobs { try transaction.jobs.insert(sampleJob(UUIDv7.next(), id, payload: "{}", .now())) }
        }
        return id
    }

    @Test("The rows of people who leave at the same time are deleted one person after another")
    func oneAfterAnother() async throws {
        try await TestGateway.run { gateway in
            var people: [String] = []
            // Each erasure needs several steps.
            for name in ["ada", "ben", "cleo"] { people.append(try await person(name, jobs: 300, in: gateway)) }
            try await gateway.database.write { transaction in
                try transaction.run("CREATE TABLE erased (number INTEGER PRIMARY KEY, user_id TEXT NOT NULL)")
                try transaction.run(
                    """
                    CREATE TRIGGER erased_jobs AFTER DELETE ON jobs BEGIN
                        INSERT INTO erased (user_id) VALUES (OLD.user_id);
                    END
                    """)
            }
            let erasure = erasure(in: gateway)
            let results = try await withThrowingTaskGroup(of: Bool.self) { group in
                for id in people { group.addTask { try await erasure.erase(userID: id) } }
                return try await group.reduce(into: []) { $0.append($1) }
            }
            #expect(results == [true, true, true])
            let order = try await gateway.database.read {
                try $0.rows("SELECT user_id FROM erased ORDER BY number").map { try $0["user_id"] as String }
            }
            #expect(order.count == 900 && Set(order) == Set(people))
            #expect(zip(order, order.dropFirst()).count { $0 != $1 } == 2)
        }
    }

    @Test("An erasure that takes longer than its caller waits says so and continues; meanwhile leftovers have to wait")
    func erasureBeyondTheWait() async throws {
        try await TestGateway.run { gateway in
            let erasure = erasure(in: gateway)
            let id = try await person("ada", jobs: 3, in: gateway)
            let gate = Gate()
            let isErased = try await erasure.erase(userID: id, timeout: .zero) {
                // The erasure's own steps wait for this write.
                gateway.database.enqueueWrite { _ in
                    gate.wait()
                } completion: { _ in
                }
            }
            #expect(!isErased)
            #expect(try await gateway.count("SELECT 1 FROM users WHERE name = 'ada'") == 0)
            #expect(try await gateway.count("SELECT 1 FROM jobs") == 3)
            // This returns at once, since the erasure is still under way.
            try await erasure.eraseLeftovers()
            gate.open()
            while try await gateway.count("SELECT 1 FROM erasures") > 0 {
                try await Task.sleep(for: .milliseconds(10))
            }
            #expect(try await gateway.count("SELECT 1 FROM jobs") == 0)

            let other = try await person("ben", jobs: 3, in: gateway)
            #expect(try await erasure.erase(userID: other))
        }
    }

    @Test("DELETE /v1/me answers 204 after ten seconds although rows are left, and the erasure continues")
    func answerAfterTenSeconds() async throws {
        let (gate, begun) = (Gate(), Collector<Void>())
        // This table is erased first, but not before the test allows it.
        let slow = PersonalTable(
            "slow", keys: ["id"],
            erasure: .steps([
                ErasureStep { _, _, _ in
                    begun.append(())
                    gate.wait()
                    return []
                } erase: { _, _, _ in
                }
            ]), export: .nothing(because: "there is no such table"))
        try await TestGateway.run(personalTables: PersonalTables(PersonalTables(of: .all).all + [slow])) { gateway in
            defer { gate.open() }
            let token = try await gateway.addUser("ada")
            _ = try await person(token, jobs: 3, in: gateway)
            let text = token.secret.reveal()
            let headers: HTTPFields = [.authorization: "Bearer \(text)"]
            try await gateway.withClient { client in
                let answer = try await client.execute(
                    uri: "/v1/me", method: .delete, headers: headers,
                    body: ByteBuffer(string: #"{"username":"ada","token":"\#(text)"}"#))
                #expect(answer.status == .noContent)
                #expect(answer.headers[.setCookie]?.contains("Max-Age=0") == true)
                let after = try await client.execute(uri: "/v1/me", method: .get, headers: headers)
                #expect(after.status == .unauthorized)
            }
            #expect(begun.elements.count == 1)
            #expect(try await gateway.count("SELECT 1 FROM jobs WHERE state = 'cancelled'") == 3)
            #expect(try await gateway.count("SELECT 1 FROM erasures") == 1)
            gate.open()
            while try await gateway.count("SELECT 1 FROM erasures") > 0 {
                try await Task.sleep(for: .milliseconds(10))
            }
            #expect(try await gateway.count("SELECT 1 FROM jobs") == 0)
        }
    }
}
