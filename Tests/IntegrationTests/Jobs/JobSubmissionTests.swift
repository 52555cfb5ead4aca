import Foundation
import TestProcesses
import TestSupport
import Testing

@Suite("Submitting jobs and waiting for them", .timeLimit(.minutes(20)))
struct JobSubmissionTests {
    @Test("An echo runs on a worker, and the waiting request gets its result")
    func waitingForAnEcho() async throws {
        try await Installation.run { installation in
            _ = try await installation.startAll()
            let ada = try await installation.addUser()
            let response = try await ada.post("/v1/jobs", Echo.job(7), headers: ["Prefer": "wait=30"])
            let job = try response.job
            #expect(response.status == 200)
            #expect(response.header("Preference-Applied") == "wait=30")
            #expect(response.header("Location") == "/v1/jobs/\(job.id)")
            #expect(job.state == "succeeded")
            #expect(job.result == .object(["n": 7]))
            #expect(job.attempt == 1)
            #expect(job.startedAt != nil && job.finishedAt != nil)
        }
    }

    @Test("Every kind of worker runs an echo")
    func everyWorker() async throws {
        try await Installation.run { installation in
            try await installation.startGateway()
            let ada = try await installation.addUser()
            for kind in Installation.Worker.allCases {
                let worker = try await installation.startWorker(kind)
                try await installation.connected(workers: 1)
                #expect(try await ada.submit(Echo.job(), wait: 30).state == "succeeded")
                worker.terminate()
                #expect(try await worker.waitForEnd() == .exited(0))
                try await installation.connected(workers: 0)
            }
        }
    }

    @Test("A request that waits for less time than its job takes gets the unfinished job, with 202")
    func waitingInVain() async throws {
        try await Installation.run { installation in
            _ = try await installation.startAll()
            let ada = try await installation.addUser(isAdmin: true)
            let body = Echo.job(sleepMs: 600_000)
            let response = try await ada.post("/v1/jobs", body, headers: ["Prefer": "wait=1"])
            #expect(response.status == 202)
            #expect(try response.job.state == "running")
            #expect(try await ada.post("/v1/jobs", body).status == 202)
        }
    }

    @Test("A stopping gateway answers waiting requests with 202, and exits with status 0")
    func stoppedWhileWaiting() async throws {
        try await Installation.run { installation in
            let (gateway, _) = try await installation.startAll()
            let ada = try await installation.addUser(isAdmin: true)
            async let answer = ada.post("/v1/jobs", Echo.job(sleepMs: 600_000), headers: ["Prefer": "wait=30"])
            try await eventually("the job to run") { try await ada.summary().running == 1 }
            gateway.terminate()
            let response = try await answer
            #expect(response.status == 202)
            #expect(try response.job.state == "running")
            #expect(try await gateway.waitForEnd() == .exited(0))
        }
    }

    @Test("Each of a batch of 1,000 jobs succeeds once, and the counters agree")
    func batchOfThousandJobs() async throws {
        try await Installation.run { installation in
            _ = try await installation.startAll(workers: 2)
            let ada = try await installation.addUser()
            let ids = try await ada.submitBatch(Echo.batch(0..<1_000))
            #expect(Set(ids).count == 1_000)
            let summary = try await ada.allEnded()
            #expect(summary == JobSummary(succeeded: 1_000))

            let jobs = try await ada.allJobs()
            let byID = Dictionary(jobs.map { ($0.id, $0) }) { first, _ in first }
            #expect(jobs.count == 1_000)
            for (n, id) in ids.enumerated() {
                let job = try #require(byID[id])
                #expect(job.state == "succeeded" && job.result == .object(["n": .integer(n)]))
            }
            let storedJobs = try await installation.storedJobs()
            // A delayed worker hands back jobs that wait in it, which uses a run but no attempt.
            #expect(storedJobs.values.allSatisfy { $0.attempt == 1 })
            try await installation.metrics("all outcomes to be reported, none of them refused") { metrics in
                let name = "backline_job_runs_total"
                return metrics.sum(name, ["outcome": "succeeded"]) == 1_000
                    && metrics.sum(name, ["outcome": "stale"]) == 0
            }
            try await installation.expectTrueCounters()
        }
    }

    @Test("Many waiting requests each get their own job's result")
    func manyWaiting() async throws {
        try await Installation.run { installation in
            _ = try await installation.startAll(workers: 2)
            let ada = try await installation.addUser()
            try await withThrowingTaskGroup(of: Void.self) { group in
                for n in 0..<200 {
                    group.addTask {
                        let job = try await ada.submit(Echo.job(n, sleepMs: n % 7), wait: 30)
                        #expect(job.state == "succeeded")
                        #expect(job.result?["n"] == .integer(n))
                    }
                }
                try await group.waitForAll()
            }
            try await installation.expectTrueCounters()
        }
    }
}
