import TestProcesses
import Testing

@Suite("Jobs that kill their worker", .timeLimit(.minutes(20)))
struct DeadLetterTests {
    @Test("A suspect that runs alone is set aside as poison after three deaths, and a requeue resets that")
    func poison() async throws {
        try await Installation.run { installation in
            try await installation.startGateway()
            let ada = try await installation.addUser(isAdmin: true)
            let poison = try await ada.submit(Echo.job(1, sleepMs: 30_000))
            // The first death makes it a suspect.
            for death in 1...4 {
                let worker = try await installation.startWorker()
                #expect(try await installation.nextRun(ofJob: poison.id, after: death - 1)?.run == death)
                worker.kill()
                try await worker.waitForEnd()
                #expect(try await ada.job(poison.id).error == nil, "a death by itself is not a failure")
            }
            _ = try await installation.startWorker()
            let dead = try await ada.job(poison.id, reaches: "failed")
            #expect(dead.error?.code == "poison")
            #expect(dead.attempts?.map(\.code) == ["workerDied", "workerDied", "poison"])
            #expect(try await ada.summary() == JobSummary(failed: 1))
            try await installation.metrics("the dead letter") { $0.sum("backline_dead_letters") == 1 }

            let requeued = try await ada.post("/v1/jobs/\(poison.id)/requeue")
            #expect(requeued.status == 202)
            let healed = try await ada.job(poison.id, reaches: "succeeded")
            #expect(healed.error == nil)
            try await installation.metrics("no dead letter") { $0.sum("backline_dead_letters") == 0 }
            #expect(healed.attempts?.count == 3, "what happened stays on record")
            #expect(try await installation.storedJobs()[poison.id]?.run == 5, "run numbers are never reset")
            try await installation.expectTrueCounters()
        }
    }

    @Test("Jobs that ran on a worker that died lose no attempt")
    func bystanders() async throws {
        try await Installation.run { installation in
            try await installation.startGateway()
            let ada = try await installation.addUser(isAdmin: true)
            let ids = try await ada.submitBatch(Echo.batch(0..<3, sleepMs: 20_000))
            // The first worker dies with all of them, the second with the one that then runs alone.
            for run in 1...2 {
                let worker = try await installation.startWorker()
                try await eventually("run \(run) of a job") {
                    try await installation.storedJobs().values.contains { $0.state == "running" && $0.run == run }
                }
                worker.kill()
                try await worker.waitForEnd()
            }
            _ = try await installation.startWorker()
            #expect(try await ada.allEnded() == JobSummary(succeeded: 3))
            for id in ids {
                let job = try await ada.job(id)
                #expect(job.attempt == 1 && job.error == nil, "a death is not an attempt")
            }
        }
    }

    @Test("Jobs beside a poison job succeed while it is being found")
    func neighbors() async throws {
        try await Installation.run { installation in
            try await installation.startGateway()
            let ada = try await installation.addUser(isAdmin: true)
            let poison = try await ada.submit(Echo.job(1, sleepMs: 600_000))
            let victim = try await installation.startWorker(.sync)
            try await ada.job(poison.id, reaches: "running")
            victim.kill()
            try await victim.waitForEnd()
            let others = try await ada.submitBatch(Echo.batch(10..<20, sleepMs: 300))
            _ = try await installation.startWorker(.concert)
            // Each worker on which it runs alone dies and is restarted by a supervisor.
            var lastRun = 1
            while let (run, instance) = try await installation.nextRun(ofJob: poison.id, after: lastRun) {
                let kind = try #require(Installation.Worker.allCases.first { instance.hasPrefix($0.rawValue) })
                let worker = try #require(installation.running(kind.rawValue).first)
                worker.kill()
                try await worker.waitForEnd()
                _ = try await installation.startWorker(kind)
                lastRun = run
            }
            #expect(try await ada.job(poison.id).error?.code == "poison")
            try await ada.allEnded()
            for id in others { #expect(try await ada.job(id).state == "succeeded") }
        }
    }
}
