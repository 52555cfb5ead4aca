import TestProcesses
import TestSupport
import Testing

@Suite("A gateway and its workers in different network namespaces", .timeLimit(.minutes(20)))
struct NetworkNamespaceTests {
    /// The lease is some seconds longer than the brief and the short jobs, and just as much shorter than the long jobs.
    private static let hasty = ["BACKLINE_JOBS_LEASE_SECONDS": "8", "BACKLINE_JOBS_HEARTBEAT_SECONDS": "1"]

    @Test(
        "When the link is cut and restored, jobs continue, and none has its effect twice",
        .enabled("Network namespaces need root and iproute2.") { await NetworkNamespaces.areAvailable() })
    func cutLink() async throws {
        try await NetworkNamespaces.run { namespaces in
            // Of sixteen places one person may have eleven with jobs that are not interactive. So all jobs that are
            // under way at once fit into one worker.
            let environment = Self.hasty.merging([
                "BACKLINE_MESSAGING_ENDPOINT": "tcp://\(namespaces.gatewayAddress):5570",
                "BACKLINE_HTTP_HOST": namespaces.servedAddress, "BACKLINE_WORKER_CONCURRENCY": "16",
                // The test reads them from another namespace.
                "BACKLINE_HTTP_METRICS": "open",
            ]) { _, given in given }
            try await Installation.run(environment: environment) { installation in
                try await Self.check(installation, namespaces)
            }
        }
    }

    private static func check(_ installation: Installation, _ namespaces: NetworkNamespaces) async throws {
        #expect(try await installation.command("keys", "new", "--gateway").end == .exited(0))
        #expect(try await installation.command("keys", "new", "workers").end == .exited(0))
        try await installation.startGateway(through: namespaces.launcher(in: namespaces.gateway))
        for _ in 0..<2 {
            _ = try await installation.startWorker(
                environment: ["BACKLINE_MESSAGING_KEY_FILE": "\(installation.folder)/keys/workers.secret"],
                through: namespaces.launcher(in: namespaces.workers))
        }
        try await installation.connected(workers: 2)
        let ada = try await installation.addUser(isAdmin: true)
        let before = try await ada.submitBatch(Echo.batch(0..<200))
        #expect(try await ada.allEnded() == JobSummary(succeeded: 200))

        // A cut that is shorter than any time limit releases no job.
        let brief = try await ada.submitBatch(Echo.batch(200..<204, sleepMs: 1_500))
        try await eventually("all to run") {
            let summary = try await ada.summary()
            return summary.running == 4 || summary.unfinished == 0
        }
        try await namespaces.cut()
        try await eventually("their ends in the table") {
            let storedJobs = try await installation.storedJobs()
            return brief.allSatisfy { storedJobs[$0]?.state == "succeeded" }
        }
        try await namespaces.mend()
        #expect(try await ada.submit(Echo.job(204), wait: 30).state == "succeeded")

        // A cut that is longer than the lease. Results that the workers write before its end count, and later ones do
        // not.
        let short = try await ada.submitBatch(Echo.batch(205..<209, sleepMs: 1_500))
        let long = try await ada.submitBatch(Echo.batch(209..<211, sleepMs: 25_000))
        _ = try await installation.instances(ofJobs: short + long)
        // This job is handed out after the others, so the workers have those when it ends.
        #expect(try await ada.submit(Echo.job(211), wait: 30).state == "succeeded")
        try await namespaces.cut()
        let during = try await ada.submit(Echo.job(212))
        try await installation.connected(workers: 0)
        // A worker is removed a moment before its jobs are released.
        try await eventually("the long jobs to wait again") { try await ada.summary().queued == 3 }
        var storedJobs = try await installation.storedJobs()
        #expect(short.allSatisfy { storedJobs[$0]?.state == "succeeded" })
        #expect(long.allSatisfy { storedJobs[$0]?.state == "queued" && storedJobs[$0]?.run == 1 })
        try await eventually("the workers to end the runs that were taken from them") {
            let workers = installation.running("concert-worker")
            return workers.reduce(0) { $0 + $1.errors.count(of: "no longer belongs to this worker") } == 2
        }
        #expect(try await ada.summary().queued == 3)

        try await namespaces.mend()
        try await installation.connected(workers: 2)
        #expect(try await ada.allEnded() == JobSummary(succeeded: 213))
        storedJobs = try await installation.storedJobs()
        // A delayed worker hands back jobs that wait in it, which uses a run but no attempt.
        #expect(before.allSatisfy { storedJobs[$0]?.attempt == 1 })
        #expect((brief + short).allSatisfy { storedJobs[$0]?.run == 1 })
        #expect((long + [during.id]).allSatisfy { storedJobs[$0]?.attempt == 1 && storedJobs[$0]?.isSuspect == false })
        #expect(long.allSatisfy { storedJobs[$0]?.run == 2 })
        let results = try await ada.allJobs().compactMap { $0.result?["n"]?.integer }
        #expect(results.sorted() == Array(0..<213))
        // The workers have counted an outcome for each job, and the refused ones.
        let name = "backline_job_runs_total"
        try await installation.metrics("all outcomes to be reported") { metrics in
            metrics.sum(name, ["outcome": "succeeded"]) == 213 && metrics.sum(name, ["outcome": "stale"]) == 2
        }
        #expect(try await installation.metrics().sum("backline_messaging_refused_total", ["reason": "unknownKey"]) == 0)
        try await installation.expectTrueCounters()
    }
}
