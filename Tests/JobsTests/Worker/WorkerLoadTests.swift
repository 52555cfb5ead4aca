import Contracts
import Model
import TestSupport
import Testing

@testable import Jobs

extension HandedJob {
    static func sample(_ id: String, run: Int64 = 1) -> HandedJob {
        HandedJob(
            run: JobRun(jobID: id, run: run), userID: "u", kind: "diagnostics.echo", version: 1, attempt: 1,
            maximumAttempts: 5, priority: 0, payload: "{}")
    }
}

@Suite("What a worker holds")
struct WorkerLoadTests {
    private let start = MonotonicInstant(microseconds: 1_000_000)

    private func startNext(_ load: inout WorkerLoad, at now: MonotonicInstant) -> HandedJob? {
        load.startNext(deadline: { _ in now.advanced(by: .seconds(60)) })
    }

    @Test("No more run at once than it may, and its credit says what is left")
    func concurrency() {
        var load = WorkerLoad(concurrency: 2)
        #expect(load.credit == WorkerCredit(free: 2, received: 0))
        load.take([.sample("a"), .sample("b"), .sample("c")], sequence: 7)
        #expect(load.credit == WorkerCredit(free: 0, received: 7))
        #expect(startNext(&load, at: start)?.run.jobID == "a")
        #expect(startNext(&load, at: start)?.run.jobID == "b")
        #expect(startNext(&load, at: start) == nil)
        #expect(load.heldCount == 3)
        #expect(Set(load.held.map(\.jobID)) == ["a", "b", "c"])
        #expect(load.finished(JobRun(jobID: "a", run: 1), after: .seconds(1)) != nil)
        // Until its outcome is durable it is still held.
        #expect(load.heldCount == 3)
        #expect(startNext(&load, at: start)?.run.jobID == "c")
        load.settled(JobRun(jobID: "a", run: 1))
        #expect(load.heldCount == 2)
    }

    @Test("A message that came before, or an earlier one that comes late, is ignored")
    func repeatedMessages() {
        var load = WorkerLoad(concurrency: 9)
        load.take([.sample("a")], sequence: 5)
        load.take([.sample("a")], sequence: 5)
        load.take([.sample("b")], sequence: 4)
        #expect(load.heldCount == 1)
        load.take([.sample("c")], sequence: 6)
        #expect(load.heldCount == 2)
    }

    @Test(
        "It asks for at most twenty milliseconds of work ahead", arguments: [10, 100, 1_000, 20_000, 50_000, 3_000_000])
    func prefetch(runMicroseconds: Int) {
        var load = WorkerLoad(concurrency: 4)
        for number in 0..<200 {
            load.take([.sample("\(number)")], sequence: Int64(number + 1))
            _ = startNext(&load, at: start)
            _ = load.finished(JobRun(jobID: "\(number)", run: 1), after: .microseconds(runMicroseconds))
            load.settled(JobRun(jobID: "\(number)", run: 1))
        }
        let ahead = Int(load.credit.free) - 4
        #expect(ahead >= 0)
        #expect(ahead <= WorkerLoad.maximumPrefetch)
        // Four at a time: so many are done in 20 ms.
        #expect(ahead <= 4 * 20_000 / runMicroseconds)
    }

    @Test("A draining worker has no credit, and hands back what has not begun")
    func draining() {
        var load = WorkerLoad(concurrency: 1)
        load.take([.sample("a"), .sample("b")], sequence: 1)
        _ = startNext(&load, at: start)
        load.isDraining = true
        #expect(load.credit.free == 0)
        #expect(load.removeWaiting().map(\.run.jobID) == ["b"])
        #expect(load.heldCount == 2)
        load.settled(JobRun(jobID: "b", run: 1))
        #expect(load.removeRunning().map(\.job.run.jobID) == ["a"])
        #expect(load.finished(JobRun(jobID: "a", run: 1), after: .zero) == nil)
        load.settled(JobRun(jobID: "a", run: 1))
        #expect(load.isEmpty)
    }

    @Test(
        "A run that is stopped is gone, its late return counts nothing, and its task is what must be cancelled")
    func stop() async {
        var load = WorkerLoad(concurrency: 2)
        load.take([.sample("a"), .sample("b"), .sample("c")], sequence: 1)
        _ = startNext(&load, at: start)
        _ = startNext(&load, at: start)
        let task = Task<Void, Never> {}
        load.started(JobRun(jobID: "a", run: 1), task: task)
        let runs = ["a", "b", "c"].map { JobRun(jobID: $0, run: 1) }
        #expect(load.stop(runs + [JobRun(jobID: "a", run: 2)]) == [task])
        #expect(load.isEmpty)
        #expect(load.finished(runs[0], after: .zero) == nil)
        await task.value
    }

    @Test("A run past its deadline is taken away and held until that is durable")
    func overdue() {
        var load = WorkerLoad(concurrency: 2)
        load.take([.sample("a"), .sample("b")], sequence: 1)
        _ = load.startNext(deadline: { _ in start.advanced(by: .seconds(1)) })
        _ = load.startNext(deadline: { _ in start.advanced(by: .seconds(9)) })
        #expect(load.removeOverdue(now: start.advanced(by: .milliseconds(999))).count == 0)
        #expect(load.removeOverdue(now: start.advanced(by: .seconds(1))).map(\.job.run.jobID) == ["a"])
        #expect(load.finished(JobRun(jobID: "a", run: 1), after: .zero) == nil)
        #expect(load.heldCount == 2)
    }
}

@Suite("Pauses between attempts")
struct RetryBackoffTests {
    @Test("They lie between nothing and a ceiling that doubles up to five minutes")
    func bounds() {
        var random = SeededRandom(seed: 9)
        for (attempt, ceiling) in [
            (-3, 1), (0, 1), (1, 1), (2, 2), (3, 4), (8, 128), (9, 256), (10, 300), (60, 300), (Int.max, 300),
        ] {
            let pauses = (0..<400).map { _ in RetryBackoff.pause(afterAttempt: attempt, using: &random) }
            #expect(pauses.allSatisfy { $0 >= .zero && $0 <= .seconds(ceiling) })
            // Full jitter: the whole range is used.
            #expect(pauses.contains { $0 < .milliseconds(ceiling * 100) })
            #expect(pauses.contains { $0 > .milliseconds(ceiling * 900) })
        }
    }
}
