import Contracts
import JobStorage
import Model
import Storage
import TestSupport
import Testing

@testable import Jobs

@Suite("The engine of gateway and workers", .timeLimit(.minutes(5)))
struct EngineTests {
    @Test("A thousand jobs in several batches succeed once each, at their first attempt")
    func thousandJobs() async throws {
        try await Engine.run(settings: JobSettings()) { engine in
            for name in ["w1", "w2"] {
                engine.startWorker(name, handlers: [.diagnosticsEcho, JobHandler(.test) { .effect(of: $0.job) }])
            }
            var ids: [String] = []
            for batch in 0..<10 {
                ids += try await engine.submit(60)
                ids += try await engine.submit(40, kind: .diagnosticsEcho, payload: #"{"batch":\#(batch)}"#)
            }
            try await engine.untilCounts { $0 == [.succeeded: 1_000] }
            let jobs = try await engine.database.read {
                try $0.jobs.jobs(userID: "u", state: nil, kind: nil, after: nil, limit: 2_000).jobs
            }
            #expect(Set(jobs.map(\.id)) == Set(ids))
            // On a busy machine a worker hands back jobs that wait for long, which uses a run but no attempt.
            #expect(jobs.allSatisfy { $0.attempt == 1 && $0.errorCode == nil && $0.finishedAt != nil })
            let effects = try await engine.effects()
            #expect(effects.count == 600)
            #expect(effects.values.allSatisfy { $0 == 1 })
            let echoed = try #require(jobs.first { $0.id == ids[60] })
            #expect(echoed.result == #"{"batch":0}"#)
            #expect(engine.queue.dispatcher.state.withLock { $0.readyRuns.isEmpty && $0.ready.isEmpty })
        }
    }

    @Test(
        "Every job has its effect once, whatever messages are lost or duplicated",
        arguments: 1...3 as ClosedRange<UInt64>)
    func lossyLine(seed: UInt64) async throws {
        try await Engine.run(faults: seed) { engine in
            for name in ["w1", "w2", "w3"] {
                engine.startWorker(name, handlers: [JobHandler(.test) { .effect(of: $0.job) }])
            }
            for _ in 0..<10 { _ = try await engine.submit(20) }
            try await engine.untilCounts { $0 == [.succeeded: 200] }
            let effects = try await engine.effects()
            #expect(effects.count == 200)
            #expect(effects.values.allSatisfy { $0 == 1 })
        }
    }

    @Test("A worker that is cut off loses its runs, and its later writes are refused")
    func staleCompletion() async throws {
        try await Engine.run { engine in
            let (started, gate) = (Collector<String>(), Collector<Void>())
            let first = engine.startWorker(
                "w1",
                handlers: [
                    JobHandler(.test) { context in
                        started.append(context.job.run.jobID)
                        await gate.wait(for: 1)
                        return .effect(of: context.job, result: #""late""#)
                    }
                ])
            let id = try #require(try await engine.submit().first)
            await started.wait(for: 1)
            engine.line.cut(first)
            engine.startWorker("w2", handlers: [JobHandler(.test) { .effect(of: $0.job, result: #""second""#) }])
            try await engine.untilCounts { $0 == [.succeeded: 1] }
            gate.append(())
            let runtime = try #require(engine.runtime(first))
            await runtime.drain(grace: .seconds(30))
            let job = try #require(try await engine.job(id))
            #expect(job.result == #""second""#)
            #expect(job.run >= 2)
            #expect(job.attempt == 1)
            #expect(try await engine.effects() == [id: 1])
        }
    }

    @Test("Workers finish their runs after a gateway dies, and the next gateway continues")
    func gatewayRestart() async throws {
        // A lease that is long enough for a slow machine.
        try await Engine.run(settings: JobSettings(heartbeat: .milliseconds(200))) { engine in
            let (started, gate) = (Collector<Void>(), Collector<Void>())
            engine.startWorker(
                "w1", concurrency: 4,
                handlers: [
                    JobHandler(.test) { context in
                        started.append(())
                        await gate.wait(for: 1)
                        return .effect(of: context.job)
                    }
                ])
            _ = try await engine.submit(6)
            await started.wait(for: 2)
            try await engine.restartGateway()
            gate.append(())
            try await engine.untilCounts { $0 == [.succeeded: 6] }
            let effects = try await engine.effects()
            #expect(effects.count == 6)
            #expect(effects.values.allSatisfy { $0 == 1 })
            let jobs = try await engine.database.read {
                try $0.jobs.jobs(userID: "u", state: nil, kind: nil, after: nil, limit: 9).jobs
            }
            #expect(jobs.allSatisfy { $0.run == 1 })
        }
    }

    @Test("A draining worker hands back jobs that it has not begun or cannot finish, without using attempts")
    func drainingWorker() async throws {
        try await Engine.run { engine in
            let started = Collector<Void>()
            let instance = engine.startWorker(
                "w1", concurrency: 4,
                handlers: [
                    JobHandler(.test) { _ in
                        started.append(())
                        try await Task.sleep(for: .seconds(3_600))
                        return JobResult("{}")
                    }
                ])
            _ = try await engine.submit(2)
            await started.wait(for: 2)
            let runtime = try #require(engine.runtime(instance))
            await runtime.drain(grace: .zero)
            #expect(try await engine.counts() == [.queued: 2])
            engine.startWorker("w2", handlers: [JobHandler(.test) { .effect(of: $0.job) }])
            try await engine.untilCounts { $0 == [.succeeded: 2] }
            let jobs = try await engine.database.read {
                try $0.jobs.jobs(userID: "u", state: nil, kind: nil, after: nil, limit: 9).jobs
            }
            #expect(jobs.allSatisfy { $0.attempt == 1 && $0.run >= 2 })
        }
    }

    @Test("A worker that drains while its outcomes are being written always ends", arguments: 0..<20)
    func drainEnds(round: Int) async throws {
        try await Engine.run { engine in
            let started = Collector<Void>()
            let instance = engine.startWorker(
                "w1", concurrency: 8,
                handlers: [
                    JobHandler(.test) { context in
                        started.append(())
                        return .effect(of: context.job)
                    }
                ])
            _ = try await engine.submit(40)
            await started.wait(for: 1 + round)
            let runtime = try #require(engine.runtime(instance))
            await runtime.drain(grace: .seconds(30))
            // Jobs that were on their way to the worker are also handed back.
            try await engine.untilCounts { Set($0.keys).isSubset(of: [.queued, .succeeded]) }
        }
    }

    @Test("A worker that is asked to stop its last run while it drains ends at once")
    func drainOfStopped() async throws {
        try await Engine.run { engine in
            let (started, gone) = (Collector<Void>(), Collector<Void>())
            let instance = engine.startWorker(
                "w1",
                handlers: [
                    JobHandler(.test) { _ in
                        started.append(())
                        try await Task.sleep(for: .seconds(3_600))
                        return JobResult("{}")
                    }
                ])
            let id = try #require(try await engine.submit().first)
            await started.wait(for: 1)
            let runtime = try #require(engine.runtime(instance))
            Task {
                await runtime.drain(grace: .seconds(3_600))
                gone.append(())
            }
            while runtime.idle.withLock({ $0 == nil }) { await Task.yield() }
            #expect(try await engine.queue.cancel(id: id, userID: "u")?.state == .cancelled)
            // Without this, it would also end at the test's time limit.
            await gone.wait(for: 1)
            #expect(gone.elements.count == 1)
        }
    }

    @Test("Cancelling ends the running job and frees its place")
    func cancelledJob() async throws {
        try await Engine.run { engine in
            let (started, cancelled) = (Collector<String>(), Collector<String>())
            engine.startWorker(
                "w1", concurrency: 1,
                handlers: [
                    JobHandler(.test) { context in
                        started.append(context.job.run.jobID)
                        guard context.job.payload == #"{"long":true}"# else { return .effect(of: context.job) }
                        do {
                            try await Task.sleep(for: .seconds(3_600))
                        } catch {
                            cancelled.append(context.job.run.jobID)
                        }
                        return .effect(of: context.job)
                    }
                ])
            let id = try #require(try await engine.submit(payload: #"{"long":true}"#).first)
            let next = try #require(try await engine.submit().first)
            await started.wait(for: 1)
            let job = try await engine.queue.cancel(id: id, userID: "u")
            #expect(job?.state == .cancelled)
            #expect(await cancelled.wait(for: 1) == [id])
            try await engine.untilCounts { $0 == [.cancelled: 1, .succeeded: 1] }
            #expect(try await engine.effects() == [next: 1])
        }
    }
}
