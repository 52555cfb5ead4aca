import Accounts
import Composition
import Contracts
import Domains
import Foundation
import HTTPTypes
import Hummingbird
import HummingbirdTesting
import JobStorage
import Connections
import Model
import Storage
import Testing

@testable import ConnectionsHTTP
@testable import Gateway

@Suite("Credentials and scopes that a job waits for", .timeLimit(.minutes(5)))
struct WaitingJobTests {
    private struct JobView: Decodable {
        struct WaitsFor: Decodable {
            var provider: String
            var detail: String
            var recovery: String?
            var scopes: [String]?
        }
        var waitsFor: WaitsFor?
    }

    private struct SetupView: Decodable {
        struct Step: Decodable {
            var id: String
            var recovery: String?
            var scope: String?
            var missingScopes: [String]?
        }
        var steps: [Step]
    }

    private func get<Value: Decodable>(
        _ type: Value.Type, _ path: String, _ headers: HTTPFields, _ client: any TestClientProtocol
    ) async throws -> Value {
        let response = try await client.execute(uri: path, method: .get, headers: headers)
        return try JSONDecoder().decode(type, from: Data(response.body.readableBytesView))
    }

    @Test("A waiting job names the provider and scopes, and so does the setup step")
    func namedScopes() async throws {
        try await TestGateway.run { gateway in
            let token = try await gateway.addUser("ada")
            let userID = try #require(try await Accounts(database: gateway.database).user(for: token)).id
            let headers: HTTPFields = [.authorization: "Bearer \(token.secret.reveal())"]
            try await gateway.database.write { transaction in
                try transaction.connections.handle(.accepted, userID: userID, provider: .spotify, now: .now()) {
                    $0.scopes = SpotifyScopes.needed(by: JobKinds(of: .all)).sorted().joined(separator: " ")
                }
            }
            let credential = try await gateway.database.makeWaitingJob(userID: userID, scopes: [])
            try await gateway.withClient { client in
                let job = try await get(JobView.self, "/v1/jobs/\(credential)", headers, client)
                let waiting = try #require(job.waitsFor)
                #expect(waiting.provider == "spotify" && waiting.recovery == nil && waiting.scopes == nil)
                let step = try #require(try await get(SetupView.self, "/v1/setup", headers, client).steps.first)
                #expect(step.id == "spotify" && step.recovery == nil && step.missingScopes == nil)
            }
            let scopes = ["user-follow-read", "user-top-read"]
            let id = try await gateway.database.makeWaitingJob(userID: userID, scopes: scopes)
            try await gateway.withClient { client in
                let waiting = try #require(try await get(JobView.self, "/v1/jobs/\(id)", headers, client).waitsFor)
                #expect(waiting.provider == "spotify" && waiting.recovery == "askScope" && waiting.scopes == scopes)
                #expect(waiting.detail.contains("'user-follow-read' and 'user-top-read'"))
                let step = try #require(try await get(SetupView.self, "/v1/setup", headers, client).steps.first)
                #expect(step.recovery == "askScope" && step.missingScopes == scopes && step.scope == scopes[0])
            }
        }
    }

    @Test("Event streams get the setup step when a job begins to wait for scopes, but not for a credential")
    func streamedSetupStep() async throws {
        try await TestGateway.run { gateway in
            let token = try await gateway.addUser("ada")
            let userID = try #require(try await Accounts(database: gateway.database).user(for: token)).id
            let services = gateway.application.services
            let source = SetupService(
                queue: services.queue, sealer: services.sealer, cityNames: .builtIn, spotifyClientID: nil
            ).eventSource
            try await gateway.database.write { transaction in
                try transaction.connections.handle(.accepted, userID: userID, provider: .spotify, now: .now())
            }
            let after = try await gateway.database.read { try $0.lastChange() }
            _ = try await gateway.database.makeWaitingJob(userID: userID, scopes: [])
            #expect(try await gateway.database.read { try source.changes($0, userID, after, 9) }.isEmpty)
            let id = try await gateway.database.makeWaitingJob(userID: userID, scopes: ["user-top-read"])
            let job = try #require(try await gateway.database.read { try $0.jobs.job(id: id, userID: userID) })
            let news = try await gateway.database.read { try source.changes($0, userID, after, 9) }
            #expect(news.map(\.number) == [job.change])
            let step = try JSONDecoder().decode(SetupView.Step.self, from: Data(try #require(news.first?.data)))
            #expect(step.id == "spotify" && step.missingScopes == ["user-top-read"])
            #expect(try await gateway.database.read { try source.changes($0, userID, 0, 9) }.count == 2)
            #expect(try await gateway.database.read { try source.changes($0, "other", 0, 9) }.isEmpty)
        }
    }

    @Test("The members that are shown are documented")
    func documentedMembers() throws {
        let members = try #require(
            try OpenAPIDocument().value(at: "components/schemas/Job/properties/waitsFor/properties") as? [String: Any])
        #expect(Set(members.keys) == ["provider", "detail", "recovery", "scopes"])
    }
}

extension Database {
    /// Makes a job that waits for Spotify; returns its id.
    func makeWaitingJob(userID: String, scopes: [String]) async throws -> String {
        let (id, now) = (UUIDv7.next(), Timestamp.now())
        let job = JobInsertion(
            id: id, userID: userID, kind: "spotify.profile", version: 1, payload: "{}", priority: 0,
            maximumAttempts: 1, createdAt: now, runAt: now,
            claim: .init(worker: "w/1", leaseExpiresAt: MonotonicInstant.now().advanced(by: .seconds(60))))
        try await write { transaction in
            try transaction.jobs.insert(job)
            _ = try transaction.jobs.postpone(
                JobRun(jobID: id, run: 1), userID: userID, kind: job.kind, until: now.advanced(by: .seconds(900)),
                awaiting: Provider.spotify.rawValue, scopes: scopes)
        }
        return id
    }
}
