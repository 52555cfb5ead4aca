import Foundation
import TestProcesses
import Testing

@Suite("Repeated requests", .timeLimit(.minutes(20)))
struct UniquenessTests {
    private static func unique(_ n: Int, key: String = "key") -> String {
        Echo.job(n, extra: "\"uniqueKey\":\"\(key)\"")
    }

    @Test("A unique key names one unfinished job of its user")
    func uniqueKey() async throws {
        try await Installation.run { installation in
            try await installation.startGateway()
            let ada = try await installation.addUser("ada")
            let bob = try await installation.addUser("bob")
            let job = try await ada.submit(Self.unique(1))
            #expect(try await ada.submit(Self.unique(1)).id == job.id)
            #expect(try await bob.submit(Self.unique(1)).id != job.id)
            #expect(try await ada.submit(Self.unique(1, key: "other")).id != job.id)

            let conflict = try await ada.post("/v1/jobs", Self.unique(2))
            #expect(conflict.status == 422)
            #expect(try conflict.problem.code == "uniqueKeyReused")
            #expect(try conflict.problem.detail.contains(job.id))
            let batch = try await ada.post("/v1/jobs/batch", "{\"jobs\":[\(Echo.job(8)),\(Self.unique(2))]}")
            #expect(try batch.problem.code == "uniqueKeyReused")
            // A batch is inserted as a whole or not at all.
            #expect(try await ada.allJobs().count == 2)
            #expect(try await ada.submitBatch("{\"jobs\":[\(Self.unique(1)),\(Self.unique(1))]}") == [job.id, job.id])

            _ = try await installation.startWorker()
            #expect(try await ada.ended(job.id).state == "succeeded")
            let next = try await ada.submit(Self.unique(2), wait: 30)
            #expect(next.id != job.id)
            #expect(next.state == "succeeded")
            try await installation.expectTrueCounters()
        }
    }

    @Test(
        "A repeated request with an idempotency key is answered like the first",
        arguments: ["/v1/jobs", "/v1/jobs/batch"])
    func idempotencyKey(path: String) async throws {
        try await Installation.run { installation in
            try await installation.startGateway()
            let ada = try await installation.addUser("ada")
            let bob = try await installation.addUser("bob")
            let isBatch = path.hasSuffix("batch")
            func body(_ n: Int) -> String { isBatch ? Echo.batch([n, n + 1]) : Echo.job(n) }
            func ids(_ response: APIResponse) throws -> [String] {
                struct Batch: Decodable { var jobs: [JobView] }
                return isBatch ? try response.decode(Batch.self).jobs.map(\.id) : [try response.job.id]
            }
            let headers = ["Idempotency-Key": "key-1"]
            let first = try ids(try await ada.post(path, body(1), headers: headers))
            let again = try await ada.post(path, body(1), headers: headers)
            #expect(try ids(again) == first)

            let conflict = try await ada.post(path, body(5), headers: headers)
            #expect(conflict.status == 422)
            #expect(try conflict.problem.code == "idempotencyKeyReused")
            #expect(try ids(try await bob.post(path, body(5), headers: headers)) != first)
            #expect(try await ada.allJobs().count == first.count)

            // The key is still known after the jobs have ended and after the gateway was killed.
            _ = try await installation.startWorker()
            try await ada.allEnded()
            let gateway = try #require(installation.running("api-gateway").first)
            gateway.kill()
            try await gateway.waitForEnd()
            try await installation.startGateway()
            let late = try await ada.post(path, body(1), headers: headers)
            #expect(try ids(late) == first)
            if !isBatch { #expect(late.status == 200) }
        }
    }

    @Test("Many equal requests at once make one job")
    func atOnce() async throws {
        try await Installation.run { installation in
            _ = try await installation.startAll()
            let ada = try await installation.addUser(isAdmin: true)
            for headers in [["Idempotency-Key": "key"], [:]] {
                let body = headers.isEmpty ? Echo.job(1, sleepMs: 600_000, extra: #""uniqueKey":"key""#) : Echo.job(2)
                let ids = try await withThrowingTaskGroup(of: String.self) { group in
                    for _ in 0..<30 { group.addTask { try await ada.post("/v1/jobs", body, headers: headers).job.id } }
                    return try await group.reduce(into: Set<String>()) { $0.insert($1) }
                }
                #expect(ids.count == 1)
            }
            #expect(try await ada.allJobs().count == 2)
        }
    }
}
