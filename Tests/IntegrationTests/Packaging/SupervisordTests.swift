import Foundation
import TestProcesses
import TestSupport
import Testing

@Suite(
    "config/supervisord.conf", .enabled(if: Supervisord.isInstalled, Supervisord.whyNot), .timeLimit(.minutes(20)))
struct SupervisordTests {
    @Test("Each program that is killed is restarted, and works")
    func killedPrograms() async throws {
        try await Installation.run { installation in
            try await Supervisord.run(in: installation) { supervisord in
                var ada = try await supervisord.gateway(startedTimes: 1)
                try await supervisord.connected(ada, workers: 3)
                ada.token = try await installation.addUser().token
                for program in ["concert-worker-1", "sync-worker", "ai-worker"] {
                    let kind = program.replacing("-1", with: "")
                    let before = try await workers(of: kind, in: installation, from: ada)
                    let old = try await supervisord.runningProcessID(of: program)
                    kill(old, SIGKILL)
                    #expect(try await supervisord.runningProcessID(of: program, other: old) != old)
                    try await supervisord.connected(ada, workers: 3)
                    try await eventually("jobs through the new \(program)") {
                        let now = try await workers(of: kind, in: installation, from: ada)
                        return !now.isEmpty && now.isDisjoint(with: before)
                    }
                }
                let old = try await supervisord.runningProcessID(of: "api-gateway")
                kill(old, SIGKILL)
                var again = try await supervisord.gateway(startedTimes: 2)
                again.token = ada.token
                try await supervisord.connected(again, workers: 3)
                #expect(try await again.submit(Echo.job(), wait: 30).state == "succeeded")
            }
        }
    }

    /// The instances of the workers on which new jobs run.
    private func workers(
        of kind: String, in installation: Installation, from client: APIClient
    ) async throws -> Set<String> {
        // More jobs than two workers can run at once, so that each worker gets some.
        let jobs = try await client.submitBatch(Echo.batch(0..<48, sleepMs: 50))
        try await client.allEnded()
        let storedJobs = try await installation.storedJobs()
        return Set(jobs.compactMap { storedJobs[$0]?.worker }.filter { $0.hasPrefix(kind) })
    }

    /// The ways to change the number of concert-workers.
    enum Way: CaseIterable {
        /// Programs that the configuration names but does not start.
        case spares
        /// `numprocs`, and `supervisorctl update`.
        case numprocs
    }

    @Test("concert-workers become four under load and one again, and every job runs once", arguments: Way.allCases)
    func numberOfWorkers(_ way: Way) async throws {
        try await Installation.run { installation in
            try await Supervisord.run(in: installation, environment: ["BACKLINE_WORKER_CONCURRENCY": "2"]) {
                supervisord in
                var ada = try await supervisord.gateway(startedTimes: 1)
                try await supervisord.connected(ada, workers: 3)
                ada.token = try await installation.addUser().token
                // Without the other workers, all jobs run on concert-workers.
                try await supervisord.control(["stop", "workers:sync-worker", "workers:ai-worker"])
                try await supervisord.connected(ada, workers: 1)
                var jobs: [String] = []
                // Keeps all workers busy, however long supervisord takes to start and stop some.
                func load() async throws {
                    guard try await ada.summary().unfinished < 100 else { return }
                    jobs += try await ada.submitBatch(Echo.batch(jobs.count..<(jobs.count + 100), sleepMs: 250))
                }
                try await load()
                try await done(5, of: ada)

                switch way {
                case .spares:
                    try await supervisord.control(["start"] + Self.spares)
                case .numprocs:
                    try await supervisord.reconfigure("numprocs = %(ENV_RUN_CONCERT_WORKERS)s", "numprocs = 4")
                    // supervisorctl update restarts whole groups.
                    try await supervisord.control(["stop", "workers:sync-worker", "workers:ai-worker"])
                }
                try await supervisord.connected(ada, workers: 4)
                try await eventually("four workers to have done jobs") {
                    try await load()
                    let storedJobs = try await installation.storedJobs()
                    let names = storedJobs.values.filter { $0.state == "succeeded" }.compactMap {
                        $0.worker?.split(separator: "/").first
                    }
                    return (1...4).allSatisfy { names.contains("concert-worker-\($0)") }
                }
                try await load()
                switch way {
                case .spares:
                    try await supervisord.control(["stop"] + Self.spares)
                case .numprocs:
                    try await supervisord.reconfigure("numprocs = 4", "numprocs = 1")
                    try await supervisord.control(["stop", "workers:sync-worker", "workers:ai-worker"])
                }
                try await supervisord.connected(ada, workers: 1)
                #expect(try await ada.allEnded(within: .seconds(600)) == JobSummary(succeeded: jobs.count))
                try await expectEachOnce(jobs, in: installation)
            }
        }
    }

    private static let spares = (1...3).map { "workers:concert-worker-spare-\($0)" }

    private func done(_ count: Int, of client: APIClient) async throws {
        try await eventually("\(count) jobs to be done") { try await client.summary().succeeded >= count }
    }

    /// Expects that every job succeeded at its first and only attempt.
    private func expectEachOnce(_ jobs: [String], in installation: Installation) async throws {
        let storedJobs = try await installation.storedJobs()
        #expect(Set(storedJobs.keys) == Set(jobs))
        #expect(storedJobs.values.allSatisfy { $0.state == "succeeded" && $0.attempt == 1 && $0.crashes == 0 })
        #expect(try await installation.failedAttempts() == 0)
        let results = try await installation.withDatabase { database in
            try await database.read { reader in
                try reader.rows("SELECT result FROM jobs").map { try $0["result"] as String }
            }
        }
        let numbers = results.compactMap { $0.firstMatch(of: #/"n": ?(\d+)/#).flatMap { Int($0.1) } }
        #expect(numbers.sorted() == Array(0..<jobs.count))
        try await installation.expectTrueCounters()
    }
}
