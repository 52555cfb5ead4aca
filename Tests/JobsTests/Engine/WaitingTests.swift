import Contracts
import Model
import Storage
import Synchronization
import TestSupport
import Testing

@testable import Jobs

@Suite("Waiting times of jobs", .timeLimit(.minutes(5)))
struct WaitingTests {
    @Test("A requeued dead letter waits from its requeue on, after more urgent jobs")
    func requeueOfOld() async throws {
        try await Engine.run(settings: JobSettings()) { engine in
            let old = Timestamp.now().advanced(by: .seconds(-6 * 86_400))
            let dead = try #require(try await engine.submit().first)
            try await engine.database.write { transaction in
                try transaction.run(
                    """
                    UPDATE jobs SET state = 'failed', created_at = \(old), run_at = \(old), finished_at = \(old)
                    WHERE id = \(dead)
                    """)
            }
            try await engine.restartGateway()
            #expect(try await engine.queue.requeue(id: dead, userID: "u")?.wasFailed == true)
            let dispatcher = engine.queue.dispatcher
            while !dispatcher.state.withLock({ $0.readyRuns[dead] != nil }) { await Task.yield() }
            let job = NewJob(kind: .test, payload: "{}", priority: 10)
            let urgent = try #require(try await engine.queue.submit([job], userID: "u").ids.first)
            let since = try #require(dispatcher.ages.oldestQueued[JobKind.test.name])
            #expect(since.duration(to: .now()) < .seconds(3_600))
            let order = Collector<String>()
            engine.startWorker(
                "w1", concurrency: 1,
                handlers: [
                    JobHandler(.test) { context in
                        order.append(context.job.run.jobID)
                        return .effect(of: context.job)
                    }
                ])
            #expect(await order.wait(for: 2) == [urgent, dead])
        }
    }

    @Test("A credential entered while a job ran is not waited for; an older one does not count")
    func newCredential() async throws {
        try await Engine.run { engine in
            let entered = Mutex(Timestamp(microseconds: 0))
            let runs = Collector<Int64>()
            engine.startWorker(
                "w1",
                handlers: [
                    JobHandler(.test) { context in
                        runs.append(context.job.run.run)
                        // Entered while the second of the jobs runs for the first time.
                        if context.job.payload == "[1]", context.job.run.run == 1 {
                            entered.withLock { $0 = .now() }
                        }
                        throw JobFailure(code: "no", message: "No.", remedy: .awaitCredential(.spotify))
                    }
                ],
                hasNewCredential: { _, userID, provider, since, now in
                    #expect(userID == "u" && provider == .spotify && since <= now)
                    return entered.withLock { $0 >= since }
                })
            let id = try #require(try await engine.submit().first)
            try await engine.untilCounts { $0 == [.scheduled: 1] }
            let job = try #require(try await engine.job(id))
            #expect(job.runAt > .now().advanced(by: .seconds(600)))
            #expect(runs.elements == [1])
            _ = try await engine.submit(payload: "[1]")
            #expect(await runs.wait(for: 3) == [1, 1, 2])
        }
    }

    @Test("A retry that was scheduled while the clock was ahead waits no longer than intended")
    func retryOfTheFuture() async throws {
        try await Engine.run { engine in
            let ids = try await engine.submit(2)
            let future = Timestamp.now().advanced(by: .seconds(30 * 86_400))
            try await engine.database.write { transaction in
                try transaction.run(
                    """
                    UPDATE jobs SET state = 'scheduled', run = 1, started_at = \(future),
                        run_at = \(future.advanced(by: .milliseconds(20))) WHERE id = \(ids[0])
                    """)
                // Its owner chose this time.
                try transaction.run(
                    "UPDATE jobs SET state = 'scheduled', run_at = \(future) WHERE id = \(ids[1])")
            }
            try await engine.restartGateway()
            let ran = Collector<String>()
            engine.startWorker(
                "w1",
                handlers: [
                    JobHandler(.test) { context in
                        ran.append(context.job.run.jobID)
                        return .effect(of: context.job)
                    }
                ])
            #expect(await ran.wait(for: 1) == [ids[0]])
            #expect(try await engine.job(ids[1])?.state == .scheduled)
        }
    }

    @Test("A worker does not get more large payloads at once than its limit")
    func largeJobs() async throws {
        try await Engine.run(settings: JobSettings()) { engine in
            let payload = #"{"padding":"\#(String(repeating: "x", count: (1 << 20) - 14))"}"#
            for _ in 0..<40 { _ = try await engine.submit(payload: payload) }
            let (started, ending) = (Collector<Int>(), Collector<Void>())
            let count = Mutex(0)
            engine.startWorker(
                "w1", concurrency: 100,
                handlers: [
                    JobHandler(.test) { context in
                        let number = count.withLock { count in
                            count += 1
                            return count
                        }
                        started.append(number)
                        await ending.wait(for: number)
                        return .effect(of: context.job)
                    }
                ])
            // Each end makes room for one, although the worker's credit is much higher.
            for ended in 0...4 {
                await started.wait(for: 16 + ended)
                let held = engine.queue.dispatcher.state.withLock { $0.workers.values.map(\.held.count) }
                #expect(held.allSatisfy { $0 <= 16 }, "\(held)")
                ending.append(())
            }
            for _ in 5..<40 { ending.append(()) }
            try await engine.untilCounts { $0 == [.succeeded: 40] }
        }
    }
}
