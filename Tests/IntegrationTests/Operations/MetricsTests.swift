import TestProcesses
import Testing

@Suite("The metrics of a running installation", .timeLimit(.minutes(20)))
struct MetricsTests {
    private static let echo = ["kind": "diagnostics.echo"]

    @Test("/metrics counts jobs by kind, state and process")
    func countedJobs() async throws {
        try await Installation.run { installation in
            _ = try await installation.startAll(workers: 2)
            let ada = try await installation.addUser()
            _ = try await ada.submitBatch(Echo.batch(0..<40))
            _ = try await ada.submit(Echo.job(), wait: 30)
            try await ada.allEnded()
            let runs = "backline_job_runs_total"
            let processes = ["api-gateway", "concert-worker-1", "concert-worker-2"]
            // One worker may have run all jobs, and the other one reports later.
            let metrics = try await installation.metrics("both workers' reports, of 41 runs") { metrics in
                metrics.sum(runs) >= 41
                    && processes.allSatisfy { metrics.sum("process_start_time_seconds", ["process": $0]) > 0 }
                    && processes.allSatisfy { metrics.sum("backline_messages_received_total", ["process": $0]) > 0 }
            }
            #expect(metrics.sum(runs, Self.echo.merging(["outcome": "succeeded"]) { $1 }) == 41)
            #expect(metrics.sum(runs) == 41)
            #expect(metrics.sum("backline_jobs", Self.echo.merging(["state": "succeeded"]) { $1 }) == 41)
            #expect(metrics.sum("backline_jobs") == 41)
            #expect(metrics.sum("backline_job_run_seconds_count", Self.echo) == 41)
            #expect(metrics.sum("backline_dispatch_seconds_count", Self.echo) == 41)
            #expect(metrics.sum("backline_jobs_submitted_total", Self.echo) == 41)
            #expect(metrics.sum("backline_dead_letters") == 0)
            #expect(metrics.sum("backline_workers") == 2)
            #expect(metrics.sum("backline_queue_age_seconds") == 0)
            #expect(
                metrics.sum(
                    "backline_http_requests_total", ["method": "POST", "route": "/v1/jobs/batch", "status": "202"])
                    == 1)
            #expect(metrics.sum("backline_http_requests_total", ["route": "/v1/jobs", "status": "200"]) == 1)
            for process in processes {
                for name in [
                    "process_resident_memory_bytes", "process_open_fds", "process_cpu_seconds_total",
                    "process_start_time_seconds", "backline_messages_sent_total", "backline_messages_received_total",
                ] {
                    #expect(metrics.sum(name, ["process": process]) > 0, "\(name) of \(process)")
                }
            }
            #expect(metrics.sum("backline_database_commits_total", ["process": "api-gateway"]) > 0)
            // The two are counted one after the other.
            try await installation.metrics("every write to be counted in a batch") {
                $0.sum("backline_database_batch_size_sum", ["process": "api-gateway"])
                    == $0.sum("backline_database_writes_total", ["process": "api-gateway"])
            }
            #expect(metrics.sum("backline_database_log_bytes") > 0)
        }
    }

    @Test("No counter falls when workers are killed and restarted, or when one is removed")
    func killedWorker() async throws {
        try await Installation.run { installation in
            let (_, workers) = try await installation.startAll(workers: 2)
            let ada = try await installation.addUser()
            _ = try await ada.submitBatch(Echo.batch(0..<60))
            try await ada.allEnded()
            // A dead worker's jobs are released, which also counts as the end of a run.
            func succeeded(_ metrics: MetricsText) -> Double {
                metrics.sum("backline_job_runs_total", ["outcome": "succeeded"])
            }
            var before = try await installation.metrics("the report of 60 runs") { succeeded($0) == 60 }.totals
            func expectNothingFell(_ when: String, sourceLocation: SourceLocation = #_sourceLocation) async throws {
                let now = try await installation.metrics().totals
                for (sample, value) in before {
                    #expect((now[sample] ?? -1) >= value, "\(sample) \(when)", sourceLocation: sourceLocation)
                }
                before = now
            }
            for worker in workers {
                worker.kill()
                try await worker.waitForEnd()
            }
            try await expectNothingFell("when they are dead")
            _ = try await installation.startWorker()
            _ = try await ada.submitBatch(Echo.batch(100..<120))
            try await ada.allEnded()
            try await installation.metrics("the report of 20 more") { succeeded($0) == 80 }
            try await expectNothingFell("when one is back")
            try await installation.connected(workers: 1)
            try await expectNothingFell("when the other stays away")
        }
    }

    @Test("A worker that never reports gets jobs like any other; lost and duplicated reports do not change the totals")
    func silentWorker() async throws {
        let faults = ["BACKLINE_TEST_MESSAGE_FAULTS": "drop:METRICS:2,double:METRICS:2"]
        try await Installation.run(environment: ScriptedWorker.environment) { installation in
            try await installation.startGateway()
            let silent = try await ScriptedWorker.connect(
                to: installation, name: "silent", kinds: [.init(kind: "diagnostics.echo", version: 1)], credit: 1)
            try await installation.connected(workers: 1)
            let ada = try await installation.addUser()
            let job = try await ada.submit(Echo.job())
            #expect(try await silent.nextJob().run.jobID == job.id)
            silent.send(.goodbye)
            _ = try await installation.startWorker(environment: faults)
            try await ada.job(job.id, reaches: "succeeded")
            let metrics = try await installation.metrics("the report of the run") {
                $0.sum("backline_job_runs_total", ["outcome": "succeeded"]) > 0
            }
            #expect(metrics.sum("backline_job_runs_total", ["outcome": "succeeded"]) == 1)
            #expect(metrics.sum("backline_job_runs_total", ["outcome": "released"]) == 1)
            #expect(metrics.values.keys.allSatisfy { $0.labels["process"] != "silent" })
            await silent.close()
        }
    }
}
