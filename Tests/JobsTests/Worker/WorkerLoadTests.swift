import Contracts
import Model
import TestSupport
import Testing

@testable import Jobs

extension AssignedJob {
    static func sample(_ id: String, run: Int64 = 1, userID: String = "u", priority: Int = 0) -> AssignedJob {
        AssignedJob(
            run: JobRun(jobID: id, run: run), userID: userID, kind: "diagnostics.echo", version: 1, attempt: 1,
            maximumAttempts: 5, priority: priority, payload: "{}")
    }
}

@Suite("A worker's load")
struct WorkerLoadTests {
    private let start = MonotonicInstant(microseconds: 1_000_000)

    private func startNext(_ load: inout WorkerLoad, at now: MonotonicInstant) -> AssignedJob? {
        load.startNext(deadline: { _ in now.advanced(by: .seconds(60)) }, now: now)
    }

    @Test("No more jobs run than there are places, and the credit is what is left")
    func placesAndCredit() {
        var load = WorkerLoad(concurrency: 2)
        #expect(load.credit == WorkerCredit(free: 2, received: 0))
        load.accept(["a", "b", "c"].map { .sample($0, priority: 10) }, sequence: 7)
        #expect(load.credit == WorkerCredit(free: 0, received: 7))
        #expect(startNext(&load, at: start)?.run.jobID == "a")
        #expect(startNext(&load, at: start)?.run.jobID == "b")
        #expect(startNext(&load, at: start) == nil)
        #expect(load.heldCount == 3)
        #expect(Set(load.held.map(\.jobID)) == ["a", "b", "c"])
        #expect(load.finished(JobRun(jobID: "a", run: 1), after: .seconds(1)) != nil)
        // The worker holds it until its outcome is durable.
        #expect(load.heldCount == 3)
        #expect(startNext(&load, at: start)?.run.jobID == "c")
        load.removeFinishing(JobRun(jobID: "a", run: 1))
        #expect(load.heldCount == 2)
    }

    @Test("Repeated and late messages are ignored")
    func repeatedMessages() {
        var load = WorkerLoad(concurrency: 9)
        load.accept([.sample("a")], sequence: 5)
        load.accept([.sample("a")], sequence: 5)
        load.accept([.sample("b")], sequence: 4)
        #expect(load.heldCount == 1)
        load.accept([.sample("c")], sequence: 6)
        #expect(load.heldCount == 2)
    }

    @Test(
        "The prefetch is at most twenty milliseconds of work", arguments: [10, 100, 1_000, 20_000, 50_000, 3_000_000])
    func sizeOfThePrefetch(runMicroseconds: Int) {
        var load = WorkerLoad(concurrency: 4)
        for number in 0..<200 {
            load.accept([.sample("\(number)")], sequence: Int64(number + 1))
            _ = startNext(&load, at: start)
            _ = load.finished(JobRun(jobID: "\(number)", run: 1), after: .microseconds(runMicroseconds))
            load.removeFinishing(JobRun(jobID: "\(number)", run: 1))
        }
        let ahead = Int(load.credit.free) - 4
        #expect(ahead >= 0)
        #expect(ahead <= WorkerLoad.maximumPrefetch)
        // Three slots run that many in 20 ms.
        #expect(ahead <= 3 * 20_000 / runMicroseconds)
    }

    @Test("A quarter of the places is reserved for interactive jobs, which start first and may also use the others")
    func reservedPlaces() {
        var load = WorkerLoad(concurrency: 8)
        load.accept((0..<9).map { .sample("sync\($0)", userID: "u\($0 % 3)") }, sequence: 1)
        for _ in 0..<6 { #expect(startNext(&load, at: start) != nil) }
        #expect(startNext(&load, at: start) == nil)
        // All slots that jobs below interactive priority may take are taken; the credit counts the two reserved ones.
        #expect(load.credit.free == 2)
        load.accept((0..<3).map { .sample("screen\($0)", priority: 10) }, sequence: 2)
        #expect(load.credit.free == 0)
        for index in 0..<2 { #expect(startNext(&load, at: start)?.run.jobID == "screen\(index)") }
        #expect(startNext(&load, at: start) == nil)
        _ = load.finished(JobRun(jobID: "sync0", run: 1), after: .seconds(1))
        #expect(startNext(&load, at: start)?.run.jobID == "screen2")
        for run in [JobRun(jobID: "screen0", run: 1), JobRun(jobID: "screen1", run: 1)] {
            _ = load.finished(run, after: .seconds(1))
        }
        #expect(startNext(&load, at: start)?.run.jobID == "sync6")
        #expect(startNext(&load, at: start) == nil)
    }

    @Test("Every way in which runs end frees their place", arguments: 1...20 as ClosedRange<UInt64>)
    func placesInHistories(seed: UInt64) {
        var random = SeededRandom(seed: seed)
        var load = WorkerLoad(concurrency: 5)
        for number in 0..<400 {
            switch Int.random(in: 0..<6, using: &random) {
            case 0, 1:
                let priority = [0, 10].randomElement(using: &random)!
                let user = "u\(Int.random(in: 0..<3, using: &random))"
                load.accept([.sample("\(number)", userID: user, priority: priority)], sequence: Int64(number + 1))
            case 2:
                _ = load.stop(load.held.filter { _ in Int.random(in: 0..<4, using: &random) == 0 })
            case 3:
                for run in load.running.keys { _ = load.finished(run, after: .seconds(1)) }
                for run in load.finishing { load.removeFinishing(run) }
            case 4:
                let late = start.advanced(by: .seconds(Int.random(in: 0..<90, using: &random)))
                for run in load.removeOverdue(now: late) { load.removeFinishing(run.job.run) }
            default:
                if Int.random(in: 0..<5, using: &random) == 0 { _ = load.removeRunning() }
            }
            while startNext(&load, at: start) != nil {}
            let background = load.running.values.count { !$0.job.isInteractive }
            #expect(background <= 3 && load.running.count <= 5)
            // Jobs wait because no slot is free, or because of their person's share: one of three while others wait,
            // two while nobody else does.
            let counts = Dictionary(grouping: load.running.values.filter { !$0.job.isInteractive }, by: \.job.person)
                .mapValues(\.count)
            #expect(counts.values.allSatisfy { $0 <= 2 })
            let waiting = Set(load.waiting.inOrder.map(\.person))
            let share = waiting.count > 1 ? 1 : 2
            #expect(
                background == 3 || load.running.count == 5 || waiting.allSatisfy { counts[$0, default: 0] >= share })
            #expect(load.waitingInteractive.isEmpty || load.running.count == 5)
        }
    }

    /// A worker with eight slots that got as many short jobs as it asked for, six of which run.
    private func loaded(withJobs count: Int) -> (WorkerLoad, MonotonicInstant) {
        var load = WorkerLoad(concurrency: 8)
        let now = start
        for number in 0..<50 {
            load.accept([.sample("short\(number)")], sequence: Int64(number + 1))
            _ = startNext(&load, at: now)
            _ = load.finished(JobRun(jobID: "short\(number)", run: 1), after: .microseconds(20))
            load.removeFinishing(JobRun(jobID: "short\(number)", run: 1))
        }
        _ = load.removeExcess(now: now)
        load.accept((0..<count).map { .sample("\($0)", userID: "u\($0 % 3)") }, sequence: 1_000)
        while startNext(&load, at: now) != nil {}
        return (load, now)
    }

    @Test("When jobs turn out long, all but twenty milliseconds of the prefetch is handed back")
    func excessIsHandedBack() {
        var (load, now) = loaded(withJobs: 1_000)
        now = now.advanced(by: .milliseconds(20))
        for number in 0..<8 {
            #expect(load.finished(JobRun(jobID: "\(number)", run: 1), after: .milliseconds(20)) != nil)
            #expect(load.hasNews == (number == 7))
            _ = startNext(&load, at: now)
        }
        let excess = load.removeExcess(now: now)
        // Eight have ended, six are running, and six are the prefetch of twenty milliseconds.
        #expect(excess.count == 1_000 - 20)
        #expect(excess.first?.run.jobID == "20")
        #expect(load.waiting.inOrder.map(\.run.jobID) == (14..<20).map(String.init))
        // The worker holds it until its end is durable.
        #expect(load.heldCount == 1_000)
        for job in excess { load.removeFinishing(job.run) }
        for number in 0..<8 { load.removeFinishing(JobRun(jobID: "\(number)", run: 1)) }
        #expect(load.heldCount == 12)
        // These are the slots reserved for interactive jobs.
        #expect(load.credit.free == 2)
        let more = load.removeExcess(now: now)
        #expect(more.isEmpty)
    }

    @Test("Long jobs are recognized before the first of them ends")
    func excessBehindLongJobs() {
        var (load, now) = loaded(withJobs: 1_000)
        now = now.advanced(by: .milliseconds(500))
        let excess = load.removeExcess(now: now)
        #expect(excess.count == 1_000 - 6)
    }

    @Test("Nothing is handed back because of delayed runs if one of them was short")
    func noExcess() {
        var (load, now) = loaded(withJobs: 1_000)
        now = now.advanced(by: .milliseconds(50))
        for number in 0..<7 {
            _ = load.finished(JobRun(jobID: "\(number)", run: 1), after: .milliseconds(50))
            _ = startNext(&load, at: now)
        }
        _ = load.finished(JobRun(jobID: "8", run: 1), after: .microseconds(20))
        _ = startNext(&load, at: now)
        #expect(load.hasNews)
        let excess = load.removeExcess(now: now)
        #expect(excess.isEmpty)
    }

    @Test("A draining worker has no credit, and hands back jobs that have not started")
    func drainingWorker() {
        var load = WorkerLoad(concurrency: 1)
        load.accept([.sample("a"), .sample("b")], sequence: 1)
        _ = startNext(&load, at: start)
        load.isDraining = true
        #expect(load.credit.free == 0)
        #expect(load.removeWaiting().map(\.run.jobID) == ["b"])
        #expect(load.heldCount == 2)
        load.removeFinishing(JobRun(jobID: "b", run: 1))
        #expect(load.removeRunning().map(\.job.run.jobID) == ["a"])
        #expect(load.finished(JobRun(jobID: "a", run: 1), after: .zero) == nil)
        load.removeFinishing(JobRun(jobID: "a", run: 1))
        #expect(load.isEmpty)
    }

    @Test("Few outcomes that a damaged page refuses take no place, and heartbeats still name them")
    func unwritableOutcomes() {
        let count = WorkerLoad.maximumUnwritable + 1
        func run(_ number: Int) -> JobRun { JobRun(jobID: "\(number)", run: 1) }
        var load = WorkerLoad(concurrency: 1)
        for number in 0..<count {
            load.accept([.sample("\(number)")], sequence: Int64(number + 1))
            _ = startNext(&load, at: start)
            // The jobs run long enough that there is no prefetch.
            _ = load.finished(run(number), after: .seconds(1))
            #expect(load.credit.free == 0, "it may just be written")
            #expect(load.foundUnwritable(run(number)) == true)
            #expect(load.foundUnwritable(run(number)) == false)
            #expect(load.credit.free == (number < count - 1 ? 1 : 0))
        }
        #expect(load.heldCount == count && load.held.count == count && !load.isEmpty)
        load.removeFinishing(run(0))
        #expect(load.credit.free == 1 && load.heldCount == count - 1)
        #expect(load.foundUnwritable(run(0)) == false, "it is written")
        for number in 1..<count { load.removeFinishing(run(number)) }
        #expect(load.isEmpty && load.credit.free == 1)
    }

    @Test("A worker that cannot work has no credit, not even for interactive jobs")
    func refusingWorker() {
        var load = WorkerLoad(concurrency: 4)
        load.accept([.sample("a")], sequence: 1)
        let before = load.credit.free
        load.refusesWork = true
        #expect(load.takesNothing && load.credit == WorkerCredit(free: 0, received: 1))
        load.refusesWork = false
        #expect(!load.takesNothing && load.credit.free == before)
        load.isDraining = true
        load.refusesWork = false
        #expect(load.credit.free == 0)
    }

    @Test(
        "A stopped run is removed, its task is returned for cancelling, and its late return does not count")
    func stoppedRun() async {
        var load = WorkerLoad(concurrency: 2)
        load.accept([.sample("a", priority: 10), .sample("b"), .sample("c")], sequence: 1)
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

    @Test("An overdue run is removed and counts as finishing until its end is durable")
    func overdueRun() {
        var load = WorkerLoad(concurrency: 2)
        load.accept([.sample("a", priority: 10), .sample("b")], sequence: 1)
        _ = load.startNext(deadline: { _ in start.advanced(by: .seconds(1)) }, now: start)
        _ = load.startNext(deadline: { _ in start.advanced(by: .seconds(9)) }, now: start)
        #expect(load.removeOverdue(now: start.advanced(by: .milliseconds(999))).count == 0)
        #expect(load.removeOverdue(now: start.advanced(by: .seconds(1))).map(\.job.run.jobID) == ["a"])
        #expect(load.finished(JobRun(jobID: "a", run: 1), after: .zero) == nil)
        #expect(load.heldCount == 2)
    }
}

@Suite("Pauses between attempts")
struct RetryBackoffTests {
    @Test("Pauses are random, up to a ceiling that doubles to five minutes")
    func boundsOfPauses() {
        var random = SeededRandom(seed: 9)
        for (attempt, ceiling) in [
            (-3, 1), (0, 1), (1, 1), (2, 2), (3, 4), (8, 128), (9, 256), (10, 300), (60, 300), (Int.max, 300),
        ] {
            let pauses = (0..<400).map { _ in RetryBackoff.pause(afterAttempt: attempt, using: &random) }
            #expect(pauses.allSatisfy { $0 >= .zero && $0 <= .seconds(ceiling) })
            // Full jitter uses the whole range.
            #expect(pauses.contains { $0 < .milliseconds(ceiling * 100) })
            #expect(pauses.contains { $0 > .milliseconds(ceiling * 900) })
        }
    }
}
