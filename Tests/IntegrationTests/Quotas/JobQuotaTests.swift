import Foundation
import TestProcesses
import Testing

@Suite("The quotas of submitted jobs", .timeLimit(.minutes(20)))
struct JobQuotaTests {
    @Test("No more jobs than the quota are accepted, however many batches arrive at once")
    func concurrentBatches() async throws {
        try await Installation.run(environment: ["BACKLINE_QUOTAS_UNFINISHED_JOBS": "20"]) { installation in
            try await installation.startGateway()
            let (ada, bob) = (try await installation.addUser("ada"), try await installation.addUser("bob"))
            let first = try await ada.post(
                "/v1/jobs/batch", Echo.batch(0..<14), headers: ["Idempotency-Key": "first"])
            #expect(first.status == 202)
            let unique = try await ada.submit(Echo.job(14, extra: #""uniqueKey":"k""#))
            let answers = try await withThrowingTaskGroup(of: APIResponse.self) { group in
                for start in 0..<8 {
                    let batch = Echo.batch((start * 5)..<(start * 5 + 5))
                    // Half of the batches have an idempotency key, which uses different code.
                    let headers = start.isMultiple(of: 2) ? ["Idempotency-Key": "batch \(start)"] : [:]
                    group.addTask { try await ada.post("/v1/jobs/batch", batch, headers: headers) }
                }
                return try await group.reduce(into: []) { $0.append($1) }
            }
            #expect(answers.count { $0.status == 202 } == 1)
            for refused in answers where refused.status != 202 {
                #expect(try refused.reachedQuota == "quotas.unfinishedJobs", "\(refused.text)")
            }
            #expect(try await ada.summary() == JobSummary(queued: 20))
            #expect(try await ada.quotas().unfinishedJobs == QuotaView(used: 20, limit: 20))
            #expect(try await ada.post("/v1/jobs", Echo.job(1)).reachedQuota == "quotas.unfinishedJobs")

            // Requests for existing jobs do not count.
            let replayed = try await ada.post(
                "/v1/jobs/batch", Echo.batch(0..<14), headers: ["Idempotency-Key": "first"])
            #expect(replayed.status == 202)
            #expect(try await ada.submit(Echo.job(14, extra: #""uniqueKey":"k""#)).id == unique.id)
            #expect(try await bob.submit(Echo.job(1)).state == "queued")

            // However a job ends, it stops counting toward the quota.
            #expect(try await ada.post("/v1/jobs/\(unique.id)/cancel").status == 200)
            #expect(try await ada.submit(Echo.job(15)).state == "queued")
            #expect(try await ada.post("/v1/jobs", Echo.job(16)).status == 429)
            _ = try await installation.startWorker()
            try await ada.allEnded()
            #expect(try await ada.quotas().unfinishedJobs == QuotaView(used: 0, limit: 20))
            #expect(try await ada.quotas().unfinishedBytes.used == 0)
            #expect(try await ada.post("/v1/jobs/batch", Echo.batch(0..<21)).reachedQuota == "quotas.unfinishedJobs")
            #expect(try await ada.submitBatch(Echo.batch(0..<20)).count == 20)
        }
    }

    @Test("Payloads count by their bytes, even after the gateway was killed")
    func bytesOfPayloads() async throws {
        let environment = ["BACKLINE_QUOTAS_UNFINISHED_BYTES": "1000", "BACKLINE_QUOTAS_UNFINISHED_JOBS": "0"]
        try await Installation.run(environment: environment) { installation in
            let gateway = try await installation.startGateway()
            let ada = try await installation.addUser()
            // 299 characters of 2 bytes each, and two quotation marks.
            let payload = "\"" + String(repeating: "é", count: 299) + "\""
            let body = #"{"kind":"diagnostics.echo","payload":\#(payload)}"#
            #expect(try await ada.post("/v1/jobs", body).status == 202)
            gateway.kill()
            try await gateway.waitForEnd()
            try await installation.startGateway()
            #expect(try await ada.post("/v1/jobs", body).reachedQuota == "quotas.unfinishedBytes")
            let quotas = try await ada.quotas()
            #expect(quotas.unfinishedBytes == QuotaView(used: 600, limit: 1_000))
            #expect(quotas.unfinishedJobs == QuotaView(used: 1, limit: nil))
            _ = try await installation.startWorker()
            try await ada.allEnded()
            #expect(try await ada.post("/v1/jobs", body).status == 202)
        }
    }

    @Test("A requeued dead letter counts again, and administrators may requeue beyond the quota")
    func requeuedDeadLetter() async throws {
        let environment = ["BACKLINE_QUOTAS_UNFINISHED_JOBS": "2", "BACKLINE_JOBS_MAXIMUM_ATTEMPTS": "1"]
        try await Installation.run(environment: environment) { installation in
            let (_, workers) = try await installation.startAll()
            let (ada, root) = (try await installation.addUser(), try await installation.addAdministrator())
            var dead: [String] = []
            for n in 0..<2 {
                let body = #"{"kind":"diagnostics.echo","payload":{"n":\#(n),"failAttempts":1}}"#
                dead.append(try await ada.submit(body, wait: 30).id)
            }
            for worker in workers {
                worker.terminate()
                try await worker.waitForEnd()
            }
            #expect(try await ada.summary() == JobSummary(failed: 2))
            let waiting = try await ada.submitBatch(Echo.batch(0..<2))
            #expect(try await ada.post("/v1/jobs/\(dead[0])/requeue").reachedQuota == "quotas.unfinishedJobs")
            #expect(try await root.post("/v1/admin/jobs/\(dead[1])/requeue").status == 202)
            #expect(try await ada.quotas().unfinishedJobs == QuotaView(used: 3, limit: 2))
            // Above the quota no job is removed, and none is accepted.
            #expect(try await ada.post("/v1/jobs/\(waiting[0])/cancel").status == 200)
            #expect(try await ada.post("/v1/jobs/\(dead[0])/requeue").status == 429)
            #expect(try await ada.post("/v1/jobs/\(waiting[1])/cancel").status == 200)
            #expect(try await ada.post("/v1/jobs/\(dead[0])/requeue").status == 202)
        }
    }
}
