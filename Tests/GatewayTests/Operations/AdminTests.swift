import Accounts
import Foundation
import HTTPTypes
import Hummingbird
import HummingbirdTesting
import JobStorage
import Model
import NIOCore
import Storage
import Testing

@testable import Gateway

@Suite("Endpoints for administrators")
struct AdminTests {
    private static let reads = ["overview", "workers", "permits", "series", "dead-letters"]

    private func object(_ response: TestResponse) throws -> [String: Any] {
        try #require(
            try JSONSerialization.jsonObject(with: Data(response.body.readableBytesView)) as? [String: Any])
    }

    @Test("A user who is not an administrator is refused everywhere, without effect")
    func otherUsersAreRefused() async throws {
        try await TestGateway.run { gateway in
            let headers = try await gateway.authorization()
            let id = try await gateway.makeDeadLetter()
            try await gateway.withClient { client in
                for path in Self.reads {
                    let answer = try await client.execute(uri: "/v1/admin/\(path)", method: .get, headers: headers)
                    #expect(answer.status == .forbidden, "\(path)")
                    #expect(try object(answer)["code"] as? String == "adminOnly")
                    let stranger = try await client.execute(uri: "/v1/admin/\(path)", method: .get)
                    #expect(stranger.status == .unauthorized, "\(path)")
                }
                let requeue = try await client.execute(
                    uri: "/v1/admin/jobs/\(id)/requeue", method: .post, headers: headers)
                #expect(requeue.status == .forbidden)
            }
            #expect(
                try await gateway.database.read { try $0.jobs.jobCountsByKind()["diagnostics.echo"]?[.failed] } == 1)
        }
    }

    @Test("Dead letters of all users are listed newest first, in pages, with their owners")
    func deadLetters() async throws {
        try await TestGateway.run { gateway in
            let headers = try await gateway.authorization("root", isAdmin: true)
            _ = try await gateway.authorization("ada")
            let ada = try #require(try await gateway.database.read { try $0.accounts.user(named: "ada") }).id
            var ids: [String] = []
            for user in ["system", ada, "removed", ada] { ids.append(try await gateway.makeDeadLetter(of: user)) }
            let made = ids
            try await gateway.withClient { client in
                var (found, names, cursor): ([String], [String?], String?) = ([], [], nil)
                repeat {
                    let answer = try await client.execute(
                        uri: "/v1/admin/dead-letters?limit=3" + (cursor.map { "&cursor=\($0)" } ?? ""), method: .get,
                        headers: headers)
                    let page = try object(answer)
                    for item in try #require(page["items"] as? [[String: Any]]) {
                        found.append(try #require(item["id"] as? String))
                        names.append(item["userName"] as? String)
                        let attempts = try #require(item["attempts"] as? [[String: Any]])
                        #expect(attempts.map { $0["code"] as? String } == ["broken"])
                    }
                    cursor = page["nextCursor"] as? String
                } while cursor != nil
                #expect(found == made.reversed())
                #expect(names == ["ada", nil, "ada", nil])
                for query in ["cursor=x", "limit=0", "limit=201"] {
                    let answer = try await client.execute(
                        uri: "/v1/admin/dead-letters?\(query)", method: .get, headers: headers)
                    #expect(answer.status == .unprocessableContent, "\(query)")
                }
            }
        }
    }

    @Test("An administrator requeues any user's dead letter, once")
    func requeuedDeadLetter() async throws {
        try await TestGateway.run { gateway in
            let headers = try await gateway.authorization(isAdmin: true)
            let id = try await gateway.makeDeadLetter(of: "somebody")
            try await gateway.withClient { client in
                func requeue(_ id: String) async throws -> TestResponse {
                    try await client.execute(uri: "/v1/admin/jobs/\(id)/requeue", method: .post, headers: headers)
                }
                let first = try await requeue(id)
                #expect(first.status == .accepted)
                #expect(try object(first)["state"] as? String == "queued")
                #expect(try await requeue(id).status == .conflict)
                #expect(try await requeue(UUIDv7.next()).status == .notFound)
                #expect(try await requeue("nothing").status == .notFound)
            }
        }
    }

    @Test("The overview counts by state and by kind")
    func countsOfTheOverview() async throws {
        try await TestGateway.run { gateway in
            let headers = try await gateway.authorization(isAdmin: true)
            try await gateway.makeDeadLetter(kind: "b.kind")
            try await gateway.withClient { client in
                _ = try await client.execute(
                    uri: "/v1/jobs", method: .post, headers: headers,
                    body: ByteBuffer(string: #"{"kind":"diagnostics.echo"}"#))
                let overview = try object(
                    try await client.execute(uri: "/v1/admin/overview", method: .get, headers: headers))
                let jobs = try #require(overview["jobs"] as? [String: Int])
                #expect(jobs["queued"] == 1 && jobs["failed"] == 1 && jobs["running"] == 0)
                let kinds = try #require(overview["kinds"] as? [[String: Any]])
                #expect(kinds.map { $0["kind"] as? String } == ["b.kind", "diagnostics.echo"])
                #expect(kinds.map { $0["failed"] as? Int } == [1, 0])
                #expect(overview["deadLetters"] as? Int == 1)
                #expect(overview["oldestQueuedSeconds"] is Double)
                #expect(overview["oldestRunningSeconds"] is NSNull)
                #expect(try #require(overview["walBytes"] as? Int) > 0)
            }
        }
    }
}
