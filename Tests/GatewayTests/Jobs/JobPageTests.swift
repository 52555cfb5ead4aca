import Accounts
import Foundation
import Hummingbird
import HummingbirdTesting
import JobStorage
import Model
import Storage
import Testing

@testable import Gateway

@Suite("Pages of the list of jobs", .timeLimit(.minutes(5)))
struct JobPageTests {
    private struct Page: Decodable {
        struct Job: Decodable {
            var id: String
        }
        var items: [Job]
        var nextCursor: String?
    }

    @Test("Large results make a page shorter than its limit, and every job is listed once")
    func largeResults() async throws {
        try await TestGateway.run { gateway in
            let token = try await gateway.addUser("ada")
            let userID = try #require(try await Accounts(database: gateway.database).user(for: token)).id
            let result = #"{"text":"\#(String(repeating: "x", count: 700 << 10))"}"#
            var expected: [String] = []
            for _ in 0..<7 {
                let now = Timestamp.now()
                let job = JobInsertion(
                    id: UUIDv7.next(), userID: userID, kind: "diagnostics.echo", version: 1, payload: "{}", priority: 0,
                    maximumAttempts: 1, createdAt: now, runAt: now,
                    claim: .init(worker: "w/1", leaseExpiresAt: .now().advanced(by: .seconds(60))))
                try await gateway.database.write { transaction in
                    try transaction.jobs.insert(job)
                    _ = try transaction.jobs.succeed(
                        JobRun(jobID: job.id, run: 1), userID: userID, kind: job.kind, result: result, now: now)
                }
                expected.insert(job.id, at: 0)
            }
            let all = expected
            try await gateway.withClient { client in
                var found: [String] = []
                var path = "/v1/jobs?limit=200"
                while true {
                    let response = try await client.execute(
                        uri: path, method: .get, headers: [.authorization: "Bearer \(token.secret.reveal())"])
                    #expect(response.body.readableBytes < 3 << 20)
                    let page = try JSONDecoder().decode(Page.self, from: Data(response.body.readableBytesView))
                    found += page.items.map(\.id)
                    guard let cursor = page.nextCursor else { break }
                    path = "/v1/jobs?limit=200&cursor=\(cursor)"
                }
                #expect(found == all)
            }
        }
    }
}
