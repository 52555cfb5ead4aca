import Foundation
import TestProcesses
import TestSupport
import Testing

@Suite(
    "A worker that runs out of memory",
    .enabled(if: OpenFiles.tool != nil, "util-linux' prlimit is not installed."), .timeLimit(.minutes(20)))
struct MemoryTests {
    /// The memory of a limited worker beyond that of a worker that runs small jobs, in bytes.
    private static let margin = 16 << 20
    private static let environment = [
        "BACKLINE_LIMITS_MAXIMUM_BODY_BYTES": "8000000",
        // Swift's backtrace of a crash takes seconds.
        "SWIFT_BACKTRACE": "enable=no",
    ]

    /// A job whose payload has the given number of bytes.
    private static func large(_ bytes: Int, sleepMs: Int) -> String {
        let text = String(repeating: "x", count: bytes)
        return #"{"kind":"diagnostics.echo","payload":{"text":"\#(text)","sleepMs":\#(sleepMs)}}"#
    }

    /// The command that limits a worker to little more memory than small jobs need.
    private func limit(_ installation: Installation, _ ada: APIClient) async throws -> [String] {
        let worker = try await installation.startWorker(.ai)
        _ = try await ada.submitBatch(Echo.batch(0..<50, sleepMs: 20))
        try await ada.allEnded()
        let bytes = ProcessMemory(of: worker).data + Self.margin
        worker.terminate()
        try await worker.waitForEnd()
        return [try #require(OpenFiles.tool), "--data=\(bytes):\(bytes)"]
    }

    @Test("The worker dies, and its jobs succeed once on another worker")
    func severalJobs() async throws {
        try await Installation.run(environment: Self.environment) { installation in
            try await installation.startGateway()
            let ada = try await installation.addUser()
            let limit = try await limit(installation, ada)
            var ids: [String] = []
            for _ in 0..<4 { ids.append(try await ada.submit(Self.large(6_000_000, sleepMs: 100)).id) }
            let victim = try installation.start("sync-worker", through: limit)
            let end = try await victim.waitForEnd()
            #expect(end != .exited(0), "it had enough memory")
            _ = try await installation.startWorker()
            #expect(try await ada.allEnded() == JobSummary(succeeded: 54))
            let storedJobs = try await installation.storedJobs()
            for id in ids {
                let entry = try #require(storedJobs[id])
                #expect(entry.state == "succeeded" && entry.attempt == 1, "a death is not an attempt")
            }
            #expect(ids.contains { storedJobs[$0]?.run ?? 0 > 1 }, "the worker had taken none")
            #expect(try await installation.failedAttempts() == 0)
            try await installation.expectTrueCounters()
        }
    }

    @Test("A job that exhausts every worker's memory is set aside; other jobs succeed, and a requeue runs it")
    func onePoisonJob() async throws {
        try await Installation.run(environment: Self.environment) { installation in
            try await installation.startGateway()
            let ada = try await installation.addUser()
            let limit = try await limit(installation, ada)
            let neighbors = try await ada.submitBatch(Echo.batch(100..<120, sleepMs: 100))
            let poison = try await ada.submit(Self.large(7_000_000, sleepMs: 1))
            let dead = try await withThrowingTaskGroup(of: Void.self) { group in
                for kind in [Installation.Worker.sync, .concert] {
                    // The worker is restarted, as by a supervisor.
                    group.addTask {
                        while !Task.isCancelled {
                            let worker = try installation.start(kind.rawValue, through: limit)
                            while worker.isRunning { try await Task.sleep(for: .milliseconds(50)) }
                            try await worker.waitForEnd()
                        }
                    }
                }
                let job = try await eventually("the job to be set aside", within: .seconds(600)) {
                    let job = try await ada.job(poison.id)
                    return job.isFinished ? job : nil
                }
                group.cancelAll()
                // The cancelled tasks end here.
                while await group.nextResult() != nil {}
                return job
            }
            #expect(dead.state == "failed" && dead.error?.code == "poison")
            #expect(dead.error?.message.contains("Look for the cause in the workers' logs, then requeue") == true)
            // The number of deaths that counted. A death soon after another one counts a third.
            #expect(dead.attempts.map { (3...9).contains($0.count) } == true, "\(dead.attempts?.count ?? 0)")
            #expect(dead.attempts?.last?.code == "poison")
            #expect(dead.attempts?.dropLast().allSatisfy { $0.code == "workerDied" } == true)
            for id in neighbors {
                let job = try await ada.ended(id)
                #expect(job.state == "succeeded" && job.attempt == 1 && job.error == nil)
            }
            for kind in ["sync-worker", "concert-worker"] {
                for worker in installation.running(kind) {
                    worker.terminate()
                    try await worker.waitForEnd()
                }
            }
            #expect(try await ada.post("/v1/jobs/\(poison.id)/requeue").status == 202)
            _ = try await installation.startWorker(.ai)
            try await ada.job(poison.id, reaches: "succeeded")
            try await installation.expectTrueCounters()
        }
    }
}
