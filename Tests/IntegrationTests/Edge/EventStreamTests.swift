import Contracts
import Foundation
import Model
import TestProcesses
import TestSupport
import Testing

@Suite("Server-sent events", .timeLimit(.minutes(20)))
struct EventStreamTests {
    @Test("Changes are sent as they happen, in order, with the job's state")
    func changesInOrder() async throws {
        try await Installation.run { installation in
            try await installation.startGateway()
            let ada = try await installation.addUser()
            let stream = try await EventStream.open(ada)
            let job = try await ada.submit(Echo.job(5))
            try await stream.job(job.id, reaches: "queued")
            _ = try await installation.startWorker()
            let end = try await stream.job(job.id, reaches: "succeeded")
            #expect(end.job?.result == .object(["n": 5]))
            let ids = stream.events.compactMap(\.change)
            #expect(ids == ids.sorted() && Set(ids).count == ids.count)
            #expect(stream.events.allSatisfy { $0.name == "job" })
            stream.close()
        }
    }

    @Test("A resumed stream gets the latest state of jobs that changed meanwhile, and nothing else")
    func resumedStream() async throws {
        try await Installation.run { installation in
            _ = try await installation.startAll()
            let ada = try await installation.addUser(isAdmin: true)
            let stream = try await EventStream.open(ada)
            let before = try await ada.submit(Echo.job(1), wait: 30)
            let seen = try #require(try await stream.job(before.id, reaches: "succeeded").id)
            stream.close()

            let missed = try await ada.submit(Echo.job(2), wait: 30)
            let cancelled = try await ada.submit(Echo.job(3, sleepMs: 600_000))
            _ = try await ada.post("/v1/jobs/\(cancelled.id)/cancel")
            let resumed = try await EventStream.open(ada, lastEventID: "\(seen)")
            try await resumed.job(cancelled.id, reaches: "cancelled")
            #expect(resumed.events.compactMap { $0.job?.id } == [missed.id, cancelled.id])
            #expect(resumed.events.compactMap { $0.job?.state } == ["succeeded", "cancelled"])
            resumed.close()

            // Resuming works after the gateway was killed, since ids come from the table.
            let last = try #require(resumed.lastID)
            let gateway = try #require(installation.running("api-gateway").first)
            gateway.kill()
            try await gateway.waitForEnd()
            try await installation.startGateway()
            let later = try await EventStream.open(ada, lastEventID: last)
            let next = try await ada.submit(Echo.job(4), wait: 30)
            try await later.job(next.id, reaches: "succeeded")
            #expect(Set(later.events.compactMap { $0.job?.id }) == [next.id])
            later.close()
        }
    }

    @Test(
        "A new stream starts with the next change; an unknown id causes a reset",
        arguments: ["x", "999999999"])
    func newStreamAndReset(lastEventID: String) async throws {
        try await Installation.run { installation in
            try await installation.startGateway()
            let ada = try await installation.addUser()
            _ = try await ada.submit(Echo.job(1))
            let fresh = try await EventStream.open(ada)
            let stream = try await EventStream.open(ada, lastEventID: lastEventID)
            let job = try await ada.submit(Echo.job(2))
            try await stream.job(job.id, reaches: "queued")
            try await fresh.job(job.id, reaches: "queued")
            #expect(stream.events.map(\.name) == ["reset", "job"])
            #expect(stream.events.first?.id != nil)
            #expect(fresh.events.map(\.name) == ["job"])
            stream.close()
            fresh.close()
        }
    }

    @Test("Too many changes cause a reset, after which the stream continues")
    func tooMuchToTell() async throws {
        try await Installation.run { installation in
            try await installation.startGateway()
            let ada = try await installation.addUser()
            _ = try await ada.submitBatch(Echo.batch(0..<501))
            let stream = try await EventStream.open(ada, lastEventID: "0")
            try await stream.first("a reset") { $0.name == "reset" }
            let job = try await ada.submit(Echo.job())
            try await stream.job(job.id, reaches: "queued")
            #expect(stream.events.map(\.name) == ["reset", "job"])
            stream.close()
        }
    }

    @Test("Progress is sent as it happens, but not replayed")
    func progressIsNotReplayed() async throws {
        try await Installation.run(environment: ScriptedWorker.environment) { installation in
            try await installation.startGateway()
            let ada = try await installation.addUser()
            let bob = try await installation.addUser("bob")
            let kind = KindVersion(kind: "diagnostics.echo", version: 1)
            let worker = try await ScriptedWorker.connect(
                to: installation, name: "scripted-1", kinds: [kind], credit: 1)
            try await installation.connected(workers: 1)
            let stream = try await EventStream.open(ada)
            let others = try await EventStream.open(bob)
            let job = try await ada.submit(Echo.job())
            let handed = try await worker.nextJob()
            try await stream.job(job.id, reaches: "running")
            let progress = JobProgress(phase: "reading", done: 3, total: 20, counts: ["rows": 12])
            worker.send(.progress([RunProgress(run: handed.run, progress)]))
            // Progress of a run that the worker does not have is ignored.
            worker.send(.progress([RunProgress(run: JobRun(jobID: job.id, run: 77), JobProgress(done: 9, total: 20))]))
            worker.send(.heartbeat(held: [handed.run], credit: WorkerCredit(free: 0, received: 0)))

            let event = try await stream.first("the progress") { $0.name == "progress" }
            #expect(event.id == nil)
            let told: [String: JSON] = ["phase": "reading", "done": 3, "total": 20, "counts": .object(["rows": 12])]
            #expect(event.json == .object(told.merging(["id": .string(job.id)]) { $1 }))
            let shown = try await ada.get("/v1/jobs/\(job.id)").decode(JSON.self)
            #expect(shown["progress"] == .object(told))

            let resumed = try await EventStream.open(ada, lastEventID: "0")
            _ = try await ada.post("/v1/jobs/\(job.id)/cancel")
            try await resumed.job(job.id, reaches: "cancelled")
            #expect(resumed.events.allSatisfy { $0.name == "job" })
            #expect(stream.events.count { $0.name == "progress" } == 1)
            #expect(others.events.isEmpty)
            for open in [stream, others, resumed] { open.close() }
            await worker.close()
        }
    }

    @Test("Streams end when the gateway stops")
    func stoppingGateway() async throws {
        try await Installation.run { installation in
            let gateway = try await installation.startGateway()
            let ada = try await installation.addUser()
            let stream = try await EventStream.open(ada)
            gateway.terminate()
            #expect(try await gateway.waitForEnd() == .exited(0))
            try await eventually("the end of the stream") { stream.hasEnded }
        }
    }
}
