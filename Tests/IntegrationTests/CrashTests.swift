import Foundation
import TestProcesses
import TestSupport
import Testing

@Suite("Killed processes", .timeLimit(.minutes(20)))
struct CrashTests {
    /// One run of the test: the amount of work, and how often processes are killed.
    struct CrashLoad: Sendable, CustomTestStringConvertible {
        var jobs: Int
        var milliseconds: Int
        var workers: Int
        var concurrency: Int
        var kills: Int

        var testDescription: String { "\(jobs) jobs of \(milliseconds) ms, \(kills) kills" }

        static let short = CrashLoad(jobs: 60, milliseconds: 1_000, workers: 3, concurrency: 4, kills: 8)
        static let long = CrashLoad(jobs: 200, milliseconds: 3_000, workers: 4, concurrency: 8, kills: 24)
    }

    @Test(
        "Every job succeeds once, whichever processes are killed meanwhile",
        arguments: longTestsAreWanted ? [CrashLoad.short, .long] : [.short])
    func storm(_ storm: CrashLoad) async throws {
        try await Installation.run { installation in
            let environment = ["BACKLINE_WORKER_CONCURRENCY": "\(storm.concurrency)"]
            let (gateway, workers) = try await installation.startAll(
                workers: storm.workers, concurrency: storm.concurrency)
            let ada = try await installation.addUser()
            let supervisor = Supervisor(installation, gateway: gateway, workers: workers, environment: environment)
            let ids = try await ada.submitBatch(Echo.batch(0..<storm.jobs, sleepMs: storm.milliseconds))
            let seed = UInt64.random(in: 0...UInt64.max)
            var random = SeededRandom(seed: seed)
            for kill in 0..<storm.kills {
                // The kills are spread over the work: one after each part.
                let threshold = kill * storm.jobs / (storm.kills + 2)
                let isOver = try await eventually("\(threshold) jobs to be done", within: .seconds(600)) {
                    () -> Bool? in
                    guard let summary = try? await ada.summary() else { return nil }
                    if summary.unfinished == 0 { return true }
                    return summary.succeeded >= threshold && summary.running > 0 ? false : nil
                }
                if isOver { break }
                if kill % 4 == 3 {
                    try await supervisor.killGateway()
                } else {
                    try await supervisor.killWorker(Int.random(in: 0..<storm.workers, using: &random))
                }
            }
            let summary = try await ada.allEnded(within: .seconds(900))
            #expect(summary == JobSummary(succeeded: storm.jobs), "seed \(seed)")

            let jobs = Dictionary(try await ada.allJobs().map { ($0.id, $0) }) { first, _ in first }
            #expect(jobs.count == storm.jobs)
            let storedJobs = try await installation.storedJobs()
            for (n, id) in ids.enumerated() {
                let job = try #require(jobs[id])
                #expect(job.result == .object(["n": .integer(n), "sleepMs": .integer(storm.milliseconds)]))
                // Deaths of workers use no attempts.
                #expect(job.attempt == 1 && job.error == nil, "seed \(seed)")
                #expect(storedJobs[id]?.isSuspect == false)
            }
            #expect(
                storedJobs.values.contains { $0.run > 1 }, "Nothing was interrupted; the kills missed. Seed \(seed)")
            try await installation.expectTrueCounters()
        }
    }

    // `scripts/fixture crashes` measures the time from the last kill on.
    @Test("Eleven kills in quick succession set no job aside, and the jobs of crash groups run again and succeed")
    func manyKillsAtOnce() async throws {
        try await Installation.run { installation in
            let count = longTestsAreWanted ? 200 : 100
            let milliseconds = longTestsAreWanted ? 3_000 : 1_500
            let environment = ["BACKLINE_WORKER_CONCURRENCY": "16"]
            let (gateway, workers) = try await installation.startAll(workers: 3, concurrency: 16)
            let ada = try await installation.addUser()
            let supervisor = Supervisor(installation, gateway: gateway, workers: workers, environment: environment)
            let ids = try await ada.submitBatch(Echo.batch(0..<count, sleepMs: milliseconds))
            for kill in 0..<11 {
                // Each kill hits running jobs.
                try await eventually("jobs to run") { try await ada.summary().running > 0 }
                try await supervisor.killWorker(kill % 3)
            }
            #expect(try await ada.allEnded(within: .seconds(600)) == JobSummary(succeeded: count))
            let storedJobs = try await installation.storedJobs()
            #expect(storedJobs.values.contains { $0.run > 1 })
            for id in ids {
                let entry = try #require(storedJobs[id])
                #expect(entry.attempt == 1 && !entry.isSuspect)
            }
            try await installation.expectTrueCounters()
        }
    }

    @Test("Workers finish their jobs after the gateway is killed, and the results are kept")
    func gatewayAlone() async throws {
        try await Installation.run { installation in
            let (gateway, _) = try await installation.startAll(concurrency: 14)
            let ada = try await installation.addUser(isAdmin: true)
            let ids = try await ada.submitBatch(Echo.batch(0..<8, sleepMs: 15_000))
            // A job is running in the table before the message to its worker is sent. This job's message follows
            // theirs, so the worker has them when this job ends.
            #expect(try await ada.submit(Echo.job(), wait: 30).state == "succeeded")
            #expect(try await ada.summary() == JobSummary(running: 8, succeeded: 1))
            gateway.kill()
            try await gateway.waitForEnd()
            try await eventually("the jobs to end without a gateway") {
                try await installation.storedJobs().values.allSatisfy { $0.state == "succeeded" }
            }
            try await installation.startGateway()
            #expect(try await ada.summary() == JobSummary(succeeded: 9))
            let storedJobs = try await installation.storedJobs()
            #expect(ids.allSatisfy { storedJobs[$0]?.run == 1 })
            // The worker is connected again and gets jobs.
            #expect(try await ada.submit(Echo.job(), wait: 30).state == "succeeded")
        }
    }

    @Test("Accepted jobs exist after the gateway is killed at once")
    func acceptedIsDurable() async throws {
        try await Installation.run { installation in
            var gateway = try await installation.startGateway()
            let ada = try await installation.addUser()
            var promised: Set<String> = []
            for n in 0..<4 {
                promised.formUnion(try await ada.submitBatch(Echo.batch((n * 50)..<(n * 50 + 50))))
                promised.insert(try await ada.submit(Echo.job(n)).id)
                gateway.kill()
                try await gateway.waitForEnd()
                gateway = try await installation.startGateway()
            }
            #expect(Set(try await ada.allJobs().map(\.id)) == promised)
            try await installation.expectTrueCounters()
        }
    }

    @Test("A request that is repeated until it is answered makes one job, whenever the gateway dies")
    func repeatedRequests() async throws {
        try await Installation.run { installation in
            var (gateway, _) = try await installation.startAll(workers: 2)
            let ada = try await installation.addUser()
            try await withThrowingTaskGroup(of: Void.self) { group in
                for n in 0..<80 {
                    group.addTask {
                        let body = n.isMultiple(of: 2) ? Echo.job(n) : Echo.job(n, extra: "\"uniqueKey\":\"key-\(n)\"")
                        let id = try await eventually("an answer to request \(n)") {
                            try? await ada.post("/v1/jobs", body, headers: ["Idempotency-Key": "request-\(n)"]).job.id
                        }
                        #expect(try await eventually("an answer") { try? await ada.job(id).id } == id)
                    }
                }
                for promised in [5, 25, 50] {
                    try await eventually("\(promised) jobs") { try await installation.storedJobs().count >= promised }
                    gateway.kill()
                    try await gateway.waitForEnd()
                    gateway = try await installation.startGateway()
                }
                try await group.waitForAll()
            }
            #expect(try await ada.allEnded() == JobSummary(succeeded: 80))
            let results = try await ada.allJobs().compactMap { $0.result?["n"]?.integer }
            #expect(results.sorted() == Array(0..<80))
            try await installation.expectTrueCounters()
        }
    }
}
