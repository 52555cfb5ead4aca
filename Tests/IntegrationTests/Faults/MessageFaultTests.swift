import Contracts
import JobStorage
import Model
import Storage
import TestProcesses
import TestSupport
import Testing

@Suite("Lost and duplicated messages", .timeLimit(.minutes(20)))
struct MessageFaultTests {
    /// Faults by the message's sender.
    enum Sender: String, Sendable {
        case gateway, worker
    }

    struct Fault: Sendable, CustomTestStringConvertible {
        var message: String
        var sender: Sender

        /// The first message is lost, the next two arrive twice, and all others once.
        var rules: String { "drop:\(message):1,double:\(message):2" }

        var testDescription: String { "\(message) of the \(sender.rawValue)" }
    }

    /// Echoes cause no PROGRESS, SUBMITTED and CHANGED; these are tested below and in SearchEventTests.
    static let faults =
        ["HELLO", "HEARTBEAT", "DONE", "DRAINING", "GOODBYE"].map { Fault(message: $0, sender: .worker) }
        + ["WELCOME", "JOBS", "STOP", "IDENTIFY"].map { Fault(message: $0, sender: .gateway) }

    @Test("Every job ends once, whichever message is lost or duplicated", arguments: faults)
    func everyMessage(_ fault: Fault) async throws {
        let faulty = ["BACKLINE_TEST_MESSAGE_FAULTS": fault.rules]
        let (ofGateway, ofWorker) = fault.sender == .gateway ? (faulty, [:]) : ([:], faulty)
        let worker = ofWorker.merging(["BACKLINE_WORKER_CONCURRENCY": "1"]) { given, _ in given }
        try await Installation.run(environment: StaleWorkerTests.patient) { installation in
            let gateway = try await installation.startGateway(environment: ofGateway)
            let first = try await installation.startWorker(.sync, environment: worker)
            let ada = try await installation.addUser(isAdmin: true)

            // First there are single assignments and ends, then many at once.
            #expect(try await ada.submit(Echo.job(1), wait: 30).state == "succeeded")
            let many = try await ada.submitBatch(Echo.batch(0..<40))
            try await ada.allEnded()

            // The worker has one slot, which the next job gets only after STOP has arrived.
            let endless = try await ada.submit(Echo.job(2, sleepMs: 600_000))
            try await ada.job(endless.id, reaches: "running")
            _ = try await ada.post("/v1/jobs/\(endless.id)/cancel")
            #expect(try await ada.ended(try await ada.submit(Echo.job(3)).id).state == "succeeded")

            // A restarted gateway does not know its worker.
            let through = try await ada.submit(Echo.job(4, sleepMs: 1_000))
            try await eventually("it to begin") { try await ada.job(through.id).startedAt != nil }
            gateway.kill()
            try await gateway.waitForEnd()
            try await installation.startGateway(environment: ofGateway)
            #expect(try await ada.ended(through.id).state == "succeeded")

            // A worker drains while it has work.
            try await installation.connected(workers: 1)
            let left = try await ada.submitBatch(Echo.batch(50..<54, sleepMs: 1_000))
            try await eventually("one to begin") {
                let summary = try await ada.summary()
                return summary.running > 0 || summary.unfinished == 0
            }
            first.terminate()
            #expect(try await first.waitForEnd() == .exited(0))
            _ = try await installation.startWorker(.concert, environment: worker)
            let summary = try await ada.allEnded()
            #expect(summary == JobSummary(succeeded: 1 + 40 + 1 + 1 + 4, cancelled: 1))

            let jobs = Dictionary(try await ada.allJobs().map { ($0.id, $0) }) { first, _ in first }
            for (n, id) in many.enumerated() { #expect(jobs[id]?.result == .object(["n": .integer(n)])) }
            for (n, id) in left.enumerated() { #expect(jobs[id]?.result?["n"] == .integer(50 + n)) }
            #expect(jobs.values.allSatisfy { $0.attempt == 1 && $0.error == nil })
            #expect(try await installation.failedAttempts() == 0)
            try await installation.expectTrueCounters()
        }
    }

    @Test("Later progress replaces lost progress, and duplicated progress is shown once")
    func lostAndDuplicatedProgress() async throws {
        try await Installation.run(environment: ScriptedWorker.environment) { installation in
            try await installation.startGateway()
            let ada = try await installation.addUser()
            let worker = try await ScriptedWorker.connect(
                to: installation, name: "scripted-1", kinds: [KindVersion(kind: "diagnostics.echo", version: 1)],
                credit: 1, faults: "drop:PROGRESS:1,double:PROGRESS:1")
            try await installation.connected(workers: 1)
            let job = try await ada.submit(Echo.job())
            let run = try await worker.nextJob().run
            for done in [5, 9] { worker.send(.progress([RunProgress(run: run, JobProgress(done: done, total: 20))])) }
            worker.send(.heartbeat(held: [run], credit: WorkerCredit(free: 0, received: 0)))
            try await eventually("the second progress") {
                try await ada.get("/v1/jobs/\(job.id)").decode(JSON.self)["progress"]
                    == .object(["done": 9, "total": 20])
            }
            _ = try await ada.post("/v1/jobs/\(job.id)/cancel")
            let ended = try await ada.get("/v1/jobs/\(job.id)").decode(JSON.self)
            #expect(ended["state"] == "cancelled" && ended["progress"] == .null)
            await worker.close()
        }
    }

    @Test("Jobs that a worker inserts run once, whether SUBMITTED is lost or duplicated")
    func jobsInsertedByAWorker() async throws {
        try await Installation.run(environment: ScriptedWorker.environment) { installation in
            _ = try await installation.startAll()
            let ada = try await installation.addUser()
            let worker = try await ScriptedWorker.connect(
                to: installation, name: "scripted-1", kinds: [KindVersion(kind: "test.none", version: 1)],
                faults: "drop:SUBMITTED:1,double:SUBMITTED:1")
            try await installation.connected(workers: 2)
            for round in 1...2 {
                try await installation.withDatabase { database in
                    try await database.write { transaction in
                        let now = Timestamp.now()
                        try transaction.jobs.insert(
                            JobInsertion(
                                id: UUIDv7.next().description,
                                userID: try transaction.row("SELECT id FROM users")?["id"] ?? "",
                                kind: "diagnostics.echo", version: 1, payload: #"{"n":\#(round)}"#, priority: 0,
                                maximumAttempts: 1, createdAt: now, runAt: now))
                    }
                }
                worker.send(.submitted)
                try await eventually("\(round) jobs to end") { try await ada.summary().succeeded == round }
            }
            #expect(try await installation.storedJobs().values.allSatisfy { $0.run == 1 })
            try await installation.expectTrueCounters()
            await worker.close()
        }
    }
}
