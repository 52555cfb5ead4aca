import JobStorage
import Model
import Storage
import TestProcesses
import TestSupport
import Testing

@Suite("A long job", .timeLimit(.minutes(20)))
struct LongJobTests {
    private static let steps = 1_000

    private static func job(stepMs: Int) -> String {
        #"{"kind":"diagnostics.steps","payload":{"steps":\#(steps),"stepMs":\#(stepMs)}}"#
    }

    /// The job's steps in the table; `nil` once it has ended.
    private func taken(_ job: String, _ installation: Installation) async throws -> Int? {
        try await installation.withDatabase { database in
            try await database.read { reader in
                guard
                    try reader.row("SELECT 1 AS found FROM jobs WHERE id = \(job) AND finished_at IS NULL") != nil
                else { return nil }
                return try reader.jobs.diagnosticSteps(ofJob: job).written
            }
        }
    }

    /// Calls `disturbance` several times, each time after a random number of further steps: at least one, because a job
    /// whose worker dies repeatedly without progress is set aside (``CrashScores``). Steps that the job took in between
    /// are subtracted from the next numbers, and a quarter of all steps is left for the end.
    ///
    /// - Returns: how often `disturbance` was called: less often than requested if the job ended before.
    private func disturb(
        _ job: String, _ installation: Installation, times: Int, seed: UInt64, _ disturbance: () async throws -> Void
    ) async throws -> Int {
        var random = SeededRandom(seed: seed)
        for done in 0..<times {
            guard let before = try await taken(job, installation) else { return done }
            let further = Int.random(in: 1...max(1, (Self.steps * 3 / 4 - before) / (times - done)), using: &random)
            try await eventually("\(further) further steps", within: .seconds(300)) {
                guard let now = try await taken(job, installation) else { return true }
                return now >= before + further
            }
            try await disturbance()
        }
        return times
    }

    private func expectSuccess(_ job: String, _ ada: APIClient, _ installation: Installation) async throws {
        let ended = try await eventually("the job's end", within: .seconds(600)) { () -> JobView? in
            guard let job = try? await ada.job(job), job.finishedAt != nil else { return nil }
            return job
        }
        #expect(ended.state == "succeeded", "\(String(describing: ended.error))")
        #expect(ended.error == nil)
        for member in ["steps", "written", "distinct"] {
            #expect(ended.result?[member] == .integer(Self.steps), "\(member)")
        }
        #expect((ended.result?["runs"]?.integer ?? 0) > 1, "Nothing was interrupted.")
        let left = try await installation.withDatabase { database in
            try await database.read { reader in
                [
                    try reader.jobs.diagnosticSteps(ofJob: job).written,
                    try reader.row("SELECT COUNT(*) AS count FROM job_checkpoints")?["count"] ?? 0,
                    try reader.row("SELECT COUNT(*) AS count FROM job_ends")?["count"] ?? 0,
                ]
            }
        }
        #expect(left == [0, 0, 0])
        try await installation.expectTrueCounters()
    }

    @Test(
        "Each step is taken once and the job succeeds, although its worker and the gateway are ended",
        arguments: [false, true])
    func endedProcesses(gently: Bool) async throws {
        try await Installation.run { installation in
            let (gateway, workers) = try await installation.startAll()
            let ada = try await installation.addUser(isAdmin: true)
            let supervisor = Supervisor(installation, gateway: gateway, workers: workers, environment: [:])
            let job = try await ada.submit(Self.job(stepMs: 10)).id
            let seed = UInt64.random(in: 0...(.max - 1))
            print("seed \(seed)")
            async let workerEnds = disturb(job, installation, times: 30, seed: seed) {
                try await supervisor.killWorker(0, gently: gently)
            }
            async let gatewayEnds = disturb(job, installation, times: 5, seed: seed + 1) {
                try await supervisor.killGateway(gently: gently)
            }
            // The job continues between the decision for a disturbance and the disturbance itself, so on a busy machine
            // it may end before the last ones.
            #expect(try await workerEnds >= 10)
            #expect(try await gatewayEnds >= 1)
            try await expectSuccess(job, ada, installation)
            if gently {
                #expect(try await installation.failedAttempts() == 0)
                let deaths = try await installation.withDatabase { database in
                    try await database.write { try $0.jobs.deaths(ofJob: job) }
                }
                // A death counts when the gateway was killed during an assignment to a worker that ended before the
                // next gateway.
                #expect(deaths <= 5)
            }
        }
    }

    @Test("Each step is taken once when the worker is stopped for longer than a lease and then continued")
    func stoppedWorker() async throws {
        try await Installation.run(environment: StaleWorkerTests.hasty) { installation in
            try await installation.startGateway()
            let workers = [
                try await installation.startWorker(.concert), try await installation.startWorker(.sync),
            ]
            try await installation.connected(workers: 2)
            let ada = try await installation.addUser(isAdmin: true)
            let job = try await ada.submit(Self.job(stepMs: 20)).id
            var stops = 0
            while stops < 3 {
                // The next run has already started when the earlier one is refused.
                guard let (run, instance) = try await installation.nextRun(ofJob: job, after: 0) else { break }
                let worker = workers[instance.hasPrefix("concert-worker") ? 0 : 1]
                try await installation.pauseOutsideWrites(worker)
                if try await installation.nextRun(ofJob: job, after: run) != nil { stops += 1 }
                worker.resume()
                try await installation.connected(workers: 2)
            }
            // A busy machine may take the last steps before the third stop.
            #expect(stops > 0)
            try await expectSuccess(job, ada, installation)
        }
    }
}
