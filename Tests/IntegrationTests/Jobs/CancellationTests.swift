import TestProcesses
import TestSupport
import Testing

@Suite("Cancelling jobs", .timeLimit(.minutes(20)))
struct CancellationTests {
    @Test("A waiting job that is cancelled never runs")
    func waitingJob() async throws {
        try await Installation.run { installation in
            try await installation.startGateway()
            let ada = try await installation.addUser()
            let queued = try await ada.submit(Echo.job(1))
            let scheduled = try await ada.submit(Echo.job(2, extra: #""runAt":"2999-01-01T00:00:00Z""#))
            for id in [queued.id, scheduled.id] {
                let response = try await ada.post("/v1/jobs/\(id)/cancel")
                #expect(response.status == 200)
                #expect(try response.job.state == "cancelled")
                // A second request has the same response.
                #expect(try await ada.post("/v1/jobs/\(id)/cancel").status == 200)
                #expect(try await ada.post("/v1/jobs/\(id)/requeue").problem.code == "notFailed")
            }
            _ = try await installation.startWorker()
            let done = try await ada.submit(Echo.job(3), wait: 30)
            let late = try await ada.post("/v1/jobs/\(done.id)/cancel")
            #expect(late.status == 409)
            #expect(try late.problem.code == "alreadyFinished")
            #expect(try await ada.job(queued.id).startedAt == nil)
            #expect(try await ada.summary() == JobSummary(succeeded: 1, cancelled: 2))
        }
    }

    @Test("A running job is stopped, and its worker runs the next job")
    func runningJob() async throws {
        try await Installation.run { installation in
            let (_, workers) = try await installation.startAll(concurrency: 1)
            let ada = try await installation.addUser(isAdmin: true)
            let endless = try await ada.submit(Echo.job(1, sleepMs: 600_000))
            try await ada.job(endless.id, reaches: "running")
            let next = try await ada.submit(Echo.job(2))
            #expect(try await ada.post("/v1/jobs/\(endless.id)/cancel").status == 200)
            #expect(try await ada.ended(next.id).state == "succeeded")
            let cancelled = try await ada.job(endless.id)
            #expect(cancelled.state == "cancelled" && cancelled.result == nil && cancelled.error == nil)
            // The worker logs no failure.
            #expect(workers[0].errors.count(of: " error ") == 0)
        }
    }

    @Test("A waiting request is answered when another request cancels its job")
    func whileWaiting() async throws {
        try await Installation.run { installation in
            _ = try await installation.startAll()
            let ada = try await installation.addUser(isAdmin: true)
            async let answer = ada.post("/v1/jobs", Echo.job(sleepMs: 600_000), headers: ["Prefer": "wait=30"])
            let job = try await eventually("the job to run") { try await ada.allJobs(query: "&state=running").first }
            _ = try await ada.post("/v1/jobs/\(job.id)/cancel")
            #expect(try await answer.status == 200)
            #expect(try await answer.job.state == "cancelled")
        }
    }

    @Test("Many jobs cancelled while they run end once each")
    func manyRunningJobs() async throws {
        try await Installation.run { installation in
            _ = try await installation.startAll(workers: 2, concurrency: 4)
            let ada = try await installation.addUser()
            let ids = try await ada.submitBatch(Echo.batch(0..<60, sleepMs: 20))
            try await withThrowingTaskGroup(of: Void.self) { group in
                for (n, id) in ids.enumerated() where !n.isMultiple(of: 3) {
                    group.addTask { _ = try await ada.post("/v1/jobs/\(id)/cancel") }
                }
                try await group.waitForAll()
            }
            let summary = try await ada.allEnded()
            #expect(summary.succeeded + summary.cancelled == 60)
            #expect(summary.failed == 0)
            try await installation.expectTrueCounters()
            #expect(try await ada.submit(Echo.job(), wait: 30).state == "succeeded")
        }
    }
}
