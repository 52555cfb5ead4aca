import TestProcesses
import TestSupport
import Testing

@Suite("Jobs that kill their worker", .timeLimit(.minutes(20)))
struct DeadLetterTests {
    @Test("A suspect that runs alone is set aside as poison after three deaths, and a requeue resets that")
    func threeDeathsAlone() async throws {
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
}
