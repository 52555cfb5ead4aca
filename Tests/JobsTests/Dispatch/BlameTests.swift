import Contracts
import Model
import Testing

@testable import Jobs

@Suite("Blaming jobs for the death of a worker")
struct BlameTests {
    private func lastRelease(of bench: DispatchBench) -> DispatchAction.Release? { bench.releases.last }

    @Test("The first death of a job that ran alone makes it a suspect; three more set it aside")
    func alone() {
        var bench = DispatchBench()
        bench.hello("w/1", credit: 1)
        bench.submit([.sample("a")])
        for life in 2...5 {
            #expect(bench.table["a"]?.isSetAside == false)
            bench.advance(by: .seconds(1))
            bench.hello("w/\(life)", credit: 1)
        }
        #expect(bench.releases.map(\.weight) == [0, 3, 3, 3])
        #expect(bench.releases.allSatisfy { $0.group != nil })
        #expect(bench.table["a"]?.isSetAside == true)
    }

    @Test(
        "A job handed to a worker that had been silent for two heartbeats never ran",
        arguments: [(3_750, true), (4_000, false)])
    func deadBefore(silence: Int, isSuspected: Bool) {
        var bench = DispatchBench()
        bench.hello("w/1", credit: 2)
        bench.advance(by: .milliseconds(silence))
        bench.submit([.sample("a")])
        #expect(bench.takeJobs(of: "w/1").runs.count == 1)
        bench.hello("w/2", credit: 2)
        #expect(lastRelease(of: bench)?.afterCrash == true)
        #expect(lastRelease(of: bench)?.weight == 0)
        #expect((lastRelease(of: bench)?.group != nil) == isSuspected)
        #expect(bench.takeJobs(of: "w/2").runs == [JobRun(jobID: "a", run: 2)])
        #expect(bench.state.workers["w/2"]?.runsGroup == isSuspected)
    }

    @Test(
        "The death of a worker that was dead before the hand-out does not weigh against a suspect, which remains one")
    func suspectDeadBefore() {
        var bench = DispatchBench()
        bench.hello("w/1", credit: 2)
        bench.advance(by: .seconds(4))
        bench.submit([.sample("s", group: "g")])
        bench.hello("w/2", credit: 2)
        #expect(bench.releases.map(\.weight) == [0] && bench.state.workers["w/2"]?.runsGroup == true)
        // This worker sent a message when it got the job.
        bench.hello("w/3", credit: 2)
        #expect(bench.releases.map(\.weight) == [0, 3])
    }

    @Test("Jobs from before the silence become suspects; later ones do not, but because of them no job ran alone")
    func before() {
        var bench = DispatchBench()
        bench.hello("w/1", credit: 3)
        bench.submit([.sample("a"), .sample("b")])
        bench.advance(by: .seconds(4))
        bench.submit([.sample("late")])
        bench.hello("w/2", credit: 0)
        let groups = bench.releases.map { "\($0.run.jobID) \($0.group ?? "-") \($0.weight)" }
        #expect(groups == ["a a/1 0", "b a/1 0", "late - 0"])
    }

    @Test(
        "A cancelled job counts as run beside others until a heartbeat no longer names it", arguments: [true, false])
    func cancelled(hasAnswered: Bool) {
        var bench = DispatchBench()
        bench.hello("w/1", credit: 2)
        bench.submit([.sample("s0", group: "g"), .sample("s1", group: "g")])
        let handed = bench.takeJobs(of: "w/1")
        bench.beat("w/1", naming: handed.runs, free: 0, received: handed.sequence)
        let run = JobRun(jobID: "s0", run: 1)
        bench.table["s0"]?.isFinished = true
        bench.table["s0"]?.worker = nil
        bench.carryOut(bench.state.cancelled(run, userID: "u", worker: "w/1", now: bench.now))
        let named = hasAnswered ? handed.runs.filter { $0 != run } : handed.runs
        bench.beat("w/1", naming: named, free: 0, received: handed.sequence)
        bench.hello("w/2", credit: 0)
        #expect(bench.releases.map(\.run.jobID) == ["s1"])
        #expect(lastRelease(of: bench)?.weight == (hasAnswered ? CrashLedger.singleDeathWeight : 0))
        #expect(lastRelease(of: bench)?.group != nil)
    }
}
