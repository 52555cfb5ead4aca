import TestProcesses
import TestSupport
import Testing

@Suite("Stopping processes", .timeLimit(.minutes(20)))
struct DrainTests {
    @Test("A worker finishes running jobs and hands back waiting ones without using attempts")
    func drainedWorker() async throws {
        // The running jobs end within three quarters of the time for stopping.
        try await Installation.run(environment: ["BACKLINE_WORKER_GRACE_SECONDS": "120"]) { installation in
            // Eight of eleven places are for jobs below interactive priority: four for each of two waiting people.
            let (_, workers) = try await installation.startAll(concurrency: 11)
            let ada = try await installation.addUser("ada", isAdmin: true)
            let bob = try await installation.addUser("bob", isAdmin: true)
            // After many short jobs a worker has a prefetch.
            _ = try await ada.submitBatch(Echo.batch(0..<400))
            try await ada.allEnded()
            let running =
                try await ada.submitBatch(Echo.batch(400..<404, sleepMs: 20_000))
                + bob.submitBatch(Echo.batch(0..<4, sleepMs: 20_000))
            let waiting = try await ada.submitBatch(Echo.batch(404..<408))
            let instances = try await installation.instances(ofJobs: running + waiting)
            workers[0].terminate()
            #expect(try await workers[0].waitForEnd() == .exited(0))
            #expect(try await ada.summary() == JobSummary(queued: 4, succeeded: 404))
            #expect(try await bob.summary() == JobSummary(succeeded: 4))
            _ = try await installation.startWorker(.sync)
            #expect(try await ada.allEnded() == JobSummary(succeeded: 408))

            let storedJobs = try await installation.storedJobs()
            #expect(running.allSatisfy { storedJobs[$0]?.worker == instances.first && storedJobs[$0]?.run == 1 })
            #expect(
                waiting.allSatisfy {
                    storedJobs[$0]?.worker?.hasPrefix("sync-worker") == true && storedJobs[$0]?.run == 2
                })
            #expect(storedJobs.values.allSatisfy { $0.attempt == 1 && !$0.isSuspect && $0.crashes == 0 })
            #expect(try await installation.failedAttempts() == 0)
            try await installation.connected(workers: 1)
            try await installation.expectTrueCounters()
        }
    }

    @Test("A worker hands back jobs that would exceed its grace period, and exits with status 0")
    func endlessJob() async throws {
        try await Installation.run(environment: ["BACKLINE_WORKER_GRACE_SECONDS": "24"]) { installation in
            let (_, workers) = try await installation.startAll()
            let ada = try await installation.addUser(isAdmin: true)
            let job = try await ada.submit(Echo.job(sleepMs: 600_000))
            try await ada.job(job.id, reaches: "running")
            // This job is handed out after the other one. When it has ended, the other one's message has also arrived.
            #expect(try await ada.submit(Echo.job(), wait: 30).state == "succeeded")
            workers[0].terminate()
            #expect(try await workers[0].waitForEnd() == .exited(0))
            let back = try await ada.job(job.id, reaches: "queued")
            #expect(back.attempt == 0 && back.error == nil)
            let entry = try #require(try await installation.storedJobs()[job.id])
            #expect(!entry.isSuspect && entry.crashes == 0)
        }
    }

    @Test("All processes stopped at once exit with status 0", arguments: [true, false])
    func allProcessesAtOnce(gatewayFirst: Bool) async throws {
        try await Installation.run { installation in
            let (gateway, workers) = try await installation.startAll(workers: 2, concurrency: 2)
            let ada = try await installation.addUser()
            _ = try await ada.submitBatch(Echo.batch(0..<12, sleepMs: 400))
            try await eventually("some to run") {
                let summary = try await ada.summary()
                return summary.running + summary.succeeded > 0
            }
            let processes = gatewayFirst ? [gateway] + workers : workers + [gateway]
            for process in processes { process.terminate() }
            for process in processes { #expect(try await process.waitForEnd() == .exited(0)) }
            _ = try await installation.startAll()
            #expect(try await ada.allEnded() == JobSummary(succeeded: 12))
            #expect(try await installation.failedAttempts() == 0)
            try await installation.expectTrueCounters()
        }
    }
}
