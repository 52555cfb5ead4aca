import Contracts
import Model
import Testing

@testable import Jobs

@Suite("Checkpoints in a worker's load")
struct WorkerLoadCheckpointTests {
    private let start = MonotonicInstant(microseconds: 1_000_000)

    private func running(attempt: Int = 2) -> (WorkerLoad, JobRun) {
        var load = WorkerLoad(concurrency: 1)
        let run = JobRun(jobID: "a", run: 3)
        let job = AssignedJob(
            run: run, userID: "u", kind: "k", version: 1, attempt: attempt, maximumAttempts: 3, priority: 0,
            payload: "{}")
        load.accept([job], sequence: 1)
        _ = load.startNext(deadline: { _ in start.advanced(by: .seconds(10)) }, now: start)
        return (load, run)
    }

    private func after(_ seconds: Int) -> MonotonicInstant { start.advanced(by: .seconds(seconds)) }

    @Test("Progress resets the time limit and the attempt; an equal state does not")
    func progressResetsTheLimits() {
        var (load, run) = running()
        load.recordCheckpoint(run, countedUntil: after(9), hasCleared: true, deadline: after(19))
        #expect(load.removeOverdue(now: after(18)).isEmpty)
        #expect(load.cleared == [run])
        load.recordCheckpoint(run, countedUntil: after(18), hasCleared: false, deadline: nil)
        #expect(load.cleared == [run])
        let overdue = load.removeOverdue(now: after(19))
        #expect(overdue.map(\.job.run) == [run])
        let ending = overdue.first.map { FinishingRun($0, keepsState: true, now: after(20)) }
        #expect(ending?.attempt == 1 && ending?.ranFor == .seconds(2))
        #expect(load.cleared.isEmpty)
    }

    @Test("A sleeping machine times nothing out, and its sleep does not count as running time")
    func sleepingMachine() {
        var (load, run) = running()
        load.limit(run, finalDeadline: after(12))
        load.excludePause(longerThan: .seconds(5), now: after(0))
        load.excludePause(longerThan: .seconds(5), now: after(4))
        // An hour, of which five seconds may not be sleep.
        load.excludePause(longerThan: .seconds(5), now: after(3_604))
        #expect(load.removeOverdue(now: after(3_604)).isEmpty)
        // A busy process is late as well, and has no more time.
        load.excludePause(longerThan: .seconds(5), now: after(3_604))
        #expect(load.removeOverdue(now: after(3_604)).isEmpty)
        let overdue = load.removeOverdue(now: after(3_605))
        #expect(overdue.map(\.job.run) == [run])
        #expect(overdue.first.map { FinishingRun($0, keepsState: true, now: after(3_605)).ranFor } == .seconds(10))
    }

    @Test("A sleep during a wait for the database counts once")
    func pauseDuringWait() {
        var (load, run) = running()
        load.excludePause(longerThan: .seconds(5), now: after(0))
        load.beginWait(run, now: after(1))
        load.excludePause(longerThan: .seconds(5), now: after(1_001))
        load.endWait(run, now: after(1_001))
        #expect(load.removeOverdue(now: after(1_009)).isEmpty)
        #expect(load.removeOverdue(now: after(1_010)).map(\.job.run) == [run])
    }

    @Test("Without progress the attempt does not change, and the run's time is still uncounted")
    func noProgress() {
        var (load, run) = running()
        load.recordCheckpoint(run, countedUntil: after(4), hasCleared: false, deadline: nil)
        let ended = load.finished(run, after: .seconds(5))
        let ending = ended.map { FinishingRun($0, keepsState: true, now: after(5)) }
        #expect(ending?.attempt == 2 && ending?.ranFor == .seconds(1))
        #expect(load.cleared.isEmpty)
    }

    @Test("The limit for all runs together applies regardless of progress")
    func finalDeadline() {
        var (load, run) = running()
        load.limit(run, finalDeadline: after(12))
        load.recordCheckpoint(run, countedUntil: after(9), hasCleared: false, deadline: after(19))
        #expect(load.removeOverdue(now: after(11)).isEmpty)
        let overdue = load.removeOverdue(now: after(12))
        #expect(overdue.first?.isOutOfTime(at: after(12)) == true)
    }

    @Test("An abandoned run counts as finishing until its outcome is written, and its handler's return changes nothing")
    func abandonedRun() {
        var (load, run) = running()
        #expect(load.abandon(run)?.job.run == run)
        #expect(load.abandon(run) == nil)
        #expect(load.held == [run])
        load.recordCheckpoint(run, countedUntil: after(1), hasCleared: true, deadline: after(99))
        #expect(load.cleared.isEmpty)
        load.removeFinishing(run)
        #expect(load.isEmpty)
    }

    @Test("No limit ends a run that waits for the database; after progress, limits count from the end of the wait")
    func waitingAndKept() {
        var (load, run) = running()
        load.limit(run, finalDeadline: after(30))
        load.beginWait(run, now: after(9))
        #expect(load.removeOverdue(now: after(50)).isEmpty)
        load.recordCheckpoint(run, countedUntil: after(9), hasCleared: true, deadline: after(19))
        #expect(load.removeOverdue(now: after(55)).isEmpty)
        load.endWait(run, now: after(60))
        #expect(load.removeOverdue(now: after(69)).isEmpty)
        let overdue = load.removeOverdue(now: after(70))
        #expect(overdue.first?.isOutOfTime(at: after(80)) == false)
        let ending = overdue.first.map { FinishingRun($0, keepsState: true, now: after(70)) }
        #expect(ending?.attempt == 1 && ending?.ranFor == .seconds(10))
    }

    @Test("A wait without progress moves all limits by its length, and does not count as running time")
    func waitingInVain() {
        var (load, run) = running()
        load.limit(run, finalDeadline: after(12))
        // Two tasks of the handler wait at once.
        load.beginWait(run, now: after(4))
        load.beginWait(run, now: after(6))
        load.endWait(run, now: after(8))
        #expect(load.removeOverdue(now: after(100)).isEmpty)
        load.endWait(run, now: after(24))
        load.endWait(run, now: after(99))
        #expect(load.removeOverdue(now: after(29)).isEmpty)
        let overdue = load.removeOverdue(now: after(30))
        #expect(overdue.first?.isOutOfTime(at: after(31)) == false)
        #expect(overdue.first?.isOutOfTime(at: after(32)) == true)
        let ending = overdue.first.map { FinishingRun($0, keepsState: true, now: after(30)) }
        #expect(ending?.attempt == 2 && ending?.ranFor == .seconds(10))
    }

    @Test("Running time that is being written is not counted again by the run's end")
    func endedWhileWaiting() {
        var (load, run) = running()
        load.beginWait(run, now: after(4))
        let ending = load.removeRunning().first.map { FinishingRun($0, keepsState: true, now: after(9)) }
        #expect(ending?.ranFor == .zero)
        load.endWait(run, now: after(10))
        #expect(load.held == [run])
    }
}
