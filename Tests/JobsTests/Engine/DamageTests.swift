import Contracts
import JobStorage
import Model
import Storage
import TestSupport
import Testing

@testable import Jobs

@Suite("A damaged page of the jobs table", .timeLimit(.minutes(5)))
struct DamageTests {
    /// Submits jobs of such a size that a page contains a few of them.
    private func submit(
        _ count: Int, runAt: Timestamp? = nil, padding length: Int = 300, to engine: Engine
    ) async throws -> [String] {
        let padding = String(repeating: "p", count: length)
        let jobs = (0..<count).map {
            NewJob(kind: .test, payload: #"{"mark":"mark-\#($0)-","padding":"\#(padding)"}"#, runAt: runAt)
        }
        return try await engine.queue.submit(jobs, userID: "u").ids
    }

    @Test("Retries, requeued jobs and jobs submitted by workers still run")
    func undamagedJobsRun() async throws {
        try await Engine.run { engine in
            _ = try await submit(200, to: engine)
            try await engine.database.damage(pageWith: "mark-100-")
            engine.startWorker(
                "w1",
                handlers: [
                    JobHandler(.test) { context in
                        switch (context.job.payload, context.job.run.run) {
                        case (#""retried""#, 1):
                            throw JobFailure(code: "no", message: "No.", remedy: .retry(after: .milliseconds(1)))
                        case (#""requeued""#, 1): throw JobFailure(code: "no", message: "No.", remedy: .none)
                        case (#""parent""#, _):
                            return JobResult("{}") { transaction, submissions in
                                try submissions.submit(
                                    NewJob(kind: .test, payload: #""child""#), userID: "u", in: transaction)
                            }
                        default: return .effect(of: context.job)
                        }
                    }
                ])
            // Writing other rows may require the page, so that these wait as well.
            try await engine.untilCounts { $0[.succeeded, default: 0] >= 160 }
            let before = try await engine.counts()
            #expect(before[.succeeded] != 200)
            var ids: [String] = []
            for payload in [#""retried""#, #""requeued""#, #""parent""#] {
                ids += try await engine.submit(payload: payload)
            }
            try await engine.untilCounts { $0[.failed] == 1 }
            #expect(try await engine.queue.requeue(id: ids[1], userID: "u")?.wasFailed == true)
            try await engine.untilCounts {
                $0[.failed] == nil && $0[.succeeded, default: 0] >= (before[.succeeded] ?? 0) + 4
            }
        }
    }

    @Test("Outcomes that cannot be written take no places: a worker with one place continues")
    func unwritableOutcomes() async throws {
        try await Engine.run { engine in
            // Two jobs fit in a page: the others wait about three seconds for each job on the damaged page.
            _ = try await submit(140, padding: 1_700, to: engine)
            try await engine.database.damage(pageWith: "mark-100-")
            engine.startWorker(
                "w1", concurrency: 1,
                handlers: [
                    JobHandler(.test) { context in
                        // The jobs run long enough that there is no prefetch.
                        try await Task.sleep(for: WorkerLoad.prefetchTime)
                        return .effect(of: context.job)
                    }
                ])
            // The rows before the damage, and those after it.
            try await engine.untilCounts { $0[.succeeded, default: 0] >= 115 }
            #expect(try await engine.counts()[.succeeded] != 140)
        }
    }

    @Test("All due jobs except the damaged ones run")
    func dueJobsRun() async throws {
        try await Engine.run { engine in
            let ids = try await submit(200, runAt: Timestamp.now().advanced(by: .seconds(3_600)), to: engine)
            // Once they are polled, and without a change of their own, so that no poll finds them before the page is
            // damaged.
            let last = try await engine.database.read { try $0.lastChange() }
            while engine.queue.dispatcher.polledChange.withLock({ $0 }) < last { await Task.yield() }
            try await engine.database.write { transaction in
                for id in ids {
                    try transaction.run("UPDATE jobs SET run_at = \(Timestamp.now()) WHERE id = \(id)")
                }
            }
            try await engine.database.damage(pageWith: "mark-100-")
            engine.startWorker("w1", handlers: [JobHandler(.test) { .effect(of: $0.job) }])
            engine.queue.dispatcher.polledChange.withLock { $0 = 0 }
            try await engine.untilCounts { $0[.succeeded, default: 0] >= 160 }
            #expect(try await engine.effects()[ids[100]] == nil)
        }
    }

    @Test("Another worker runs all jobs of a lost one except the damaged ones")
    func lostRuns() async throws {
        try await Engine.run { engine in
            let started = Collector<Void>()
            let first = engine.startWorker(
                "w1", concurrency: 84,
                handlers: [
                    JobHandler(.test) { _ in
                        started.append(())
                        try await Task.sleep(for: .seconds(3_600))
                        return JobResult("{}")
                    }
                ])
            let ids = try await submit(60, to: engine)
            await started.wait(for: 60)
            try await engine.database.damage(pageWith: "mark-30-")
            engine.line.cut(first)
            engine.startWorker("w2", handlers: [JobHandler(.test) { .effect(of: $0.job) }])
            try await engine.untilCounts { $0[.succeeded, default: 0] >= 25 }
            #expect(try await engine.effects()[ids[30]] == nil)
        }
    }

    @Test("A job's end whose message was lost is found even if another awaited job is damaged")
    func awaitedJobIsFound() async throws {
        try await Engine.run { engine in
            let ids = try await submit(100, to: engine)
            let waiters = [ids[0], ids[50]].map { engine.queue.events.waiter(forJob: $0) }
            try await engine.database.damage(pageWith: "mark-50-")
            _ = try await engine.queue.database.write { try $0.jobs.cancel(jobID: ids[0], userID: "u", now: .now()) }
            let deadline = ContinuousClock.now.advanced(by: .seconds(240))
            await waiters[0].wait(until: deadline)
            #expect(ContinuousClock.now < deadline)
            #expect(Set(engine.queue.events.awaitedJobs) == [ids[0], ids[50]])
        }
    }
}
