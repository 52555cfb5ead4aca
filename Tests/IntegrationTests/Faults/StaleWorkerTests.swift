import Model
import TestProcesses
import TestSupport
import Testing

@Suite("Workers that lost their runs", .timeLimit(.minutes(20)))
struct StaleWorkerTests {
    /// The shortest possible lease.
    static let hasty = ["BACKLINE_JOBS_LEASE_SECONDS": "3", "BACKLINE_JOBS_HEARTBEAT_SECONDS": "1"]
    /// A lease that is short enough for a test but long enough for a busy machine.
    static let patient = ["BACKLINE_JOBS_LEASE_SECONDS": "6", "BACKLINE_JOBS_HEARTBEAT_SECONDS": "1"]

    @Test("A worker that continues after its lease has ended changes no job that it lost, and gets new jobs")
    func workerBeyondItsLease() async throws {
        try await Installation.run(environment: Self.patient) { installation in
            try await installation.startGateway()
            let ada = try await installation.addUser()
            let first = try await installation.startWorker(.sync)
            // The job takes one heartbeat less than a lease, so that it has ended by the end of any lease.
            let job = try await ada.submit(Echo.job(1, sleepMs: 5_000))
            try await ada.job(job.id, reaches: "running")
            try await installation.pauseOutsideWrites(first)
            _ = try await installation.startWorker(.concert)
            let (run, instance) = try #require(try await installation.nextRun(ofJob: job.id, after: 1))
            #expect(instance.hasPrefix("concert-worker"))

            // The handler has returned, so the worker writes the job's result at once.
            first.resume()
            try await installation.connected(workers: 2)
            let ended = try await ada.ended(job.id)
            #expect(ended.state == "succeeded" && ended.attempt == 1 && ended.error == nil)
            let entry = try #require(try await installation.storedJobs()[job.id])
            #expect(entry.run >= run && entry.worker == instance)
            let (started, finished) = (try #require(ended.startedAt), try #require(ended.finishedAt))
            let ran = try #require(Timestamp(rfc3339: started)).duration(to: try #require(Timestamp(rfc3339: finished)))
            #expect(ran >= .milliseconds(4_900), "the lost run ended the one that had taken its place")
            #expect(try await ada.summary() == JobSummary(succeeded: 1))

            // Both workers have sixteen places, and run jobs.
            let more = try await ada.submitBatch(Echo.batch(0..<32, sleepMs: 2_000))
            #expect(try await installation.instances(ofJobs: more).count == 2)
            try await ada.allEnded()
            try await installation.expectTrueCounters()
        }
    }

    @Test("A gateway that was stopped for longer than a lease releases nothing")
    func stoppedGateway() async throws {
        try await Installation.run(environment: Self.patient) { installation in
            let (gateway, _) = try await installation.startAll(workers: 2)
            let ada = try await installation.addUser(isAdmin: true)
            let ids = try await ada.submitBatch(Echo.batch(0..<10, sleepMs: 30_000))
            try await eventually("all to run") { try await ada.summary().running == 10 }
            gateway.pause()
            // Nothing can be observed while it is stopped, and this test is about that time.
            try await Task.sleep(for: .seconds(8))
            gateway.resume()
            #expect(try await ada.allEnded() == JobSummary(succeeded: 10))
            let storedJobs = try await installation.storedJobs()
            #expect(ids.allSatisfy { storedJobs[$0]?.run == 1 }, "a job was taken from a worker that lived")
        }
    }
}
