import Foundation
import TestProcesses
import TestSupport
import Testing

/// A short form of what `FaultHistoryTests` play at random, and `Tests/JobsTests` prove without processes.
@Suite("Killed processes", .timeLimit(.minutes(20)))
struct CrashTests {
    @Test("Every job succeeds once, whichever processes are killed meanwhile")
    func killsOfAllProcesses() async throws {
        let (jobs, milliseconds, workers, concurrency, kills) = (60, 1_000, 3, 4, 8)
        try await Installation.run { installation in
            let environment = ["BACKLINE_WORKER_CONCURRENCY": "\(concurrency)"]
            let started = try await installation.startAll(workers: workers, concurrency: concurrency)
            let ada = try await installation.addUser()
            let supervisor = Supervisor(
                installation, gateway: started.gateway, workers: started.workers, environment: environment)
            let ids = try await ada.submitBatch(Echo.batch(0..<jobs, sleepMs: milliseconds))
            let seed = UInt64.random(in: 0...UInt64.max)
            var random = SeededRandom(seed: seed)
            for kill in 0..<kills {
                // The kills are spread over the work: one after each part.
                let threshold = kill * jobs / (kills + 2)
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
                    try await supervisor.killWorker(Int.random(in: 0..<workers, using: &random))
                }
            }
            let summary = try await ada.allEnded(within: .seconds(900))
            #expect(summary == JobSummary(succeeded: jobs), "seed \(seed)")

            let ended = Dictionary(try await ada.allJobs().map { ($0.id, $0) }) { first, _ in first }
            #expect(ended.count == jobs)
            let storedJobs = try await installation.storedJobs()
            for (n, id) in ids.enumerated() {
                let job = try #require(ended[id])
                #expect(job.result == .object(["n": .integer(n), "sleepMs": .integer(milliseconds)]))
                // Deaths of workers use no attempts.
                #expect(job.attempt == 1 && job.error == nil, "seed \(seed)")
                #expect(storedJobs[id]?.isSuspect == false)
            }
            #expect(
                storedJobs.values.contains { $0.run > 1 }, "Nothing was interrupted; the kills missed. Seed \(seed)")
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
