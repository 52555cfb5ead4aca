import Contracts
import Model
import Testing

@testable import Jobs

@Suite("Runs that have ended in the database while a worker holds them")
struct StoppedRunTests {
    private static let limited = JobKind(
        name: "other.kind", version: 1, submitter: .user, maximumRunTime: .seconds(60), maximumRunning: 1)

    /// A worker that runs the only job that the limit of its kind allows.
    private func busy() -> (bench: DispatchBench, run: JobRun) {
        var bench = DispatchBench(kinds: [Self.limited])
        bench.hello("w/1", kinds: [.other], credit: 4)
        bench.submit([.sample("a", kind: .other)])
        let handed = bench.takeJobs(of: "w/1")
        bench.beat("w/1", naming: handed.runs, free: 3, received: handed.sequence)
        return (bench, JobRun(jobID: "a", run: 1))
    }

    private func end(_ run: JobRun, in bench: inout DispatchBench) {
        bench.table[run.jobID]?.isFinished = true
        bench.table[run.jobID]?.worker = nil
    }

    @Test("A run cancelled before its worker says hello to a new gateway is stopped at the next heartbeat")
    func orphan() {
        var (bench, run) = busy()
        bench.restartGateway()
        end(run, in: &bench)
        bench.carryOut(bench.state.cancelled(run, userID: "u", worker: "w/1", now: bench.now))
        #expect(bench.state.orphans.isEmpty)
        #expect(bench.state.limits.running["other.kind"]?.isEmpty == true)
        bench.hello("w/1", kinds: [.other])
        bench.submit([.sample("b", kind: .other)])
        bench.beat("w/1", naming: [run], free: 3)
        #expect(bench.takeStops(of: "w/1") == [run])
        #expect(bench.takeJobs(of: "w/1").runs.map(\.jobID) == ["b"])
        bench.advance(by: .seconds(11))
        let released = bench.releases.map(\.run.jobID)
        #expect(!released.contains("a"))
    }

    @Test("The worker retains its other runs")
    func otherOrphan() {
        var bench = DispatchBench()
        bench.hello("w/1", credit: 2)
        bench.submit([.sample("a"), .sample("b")])
        let runs = bench.takeJobs(of: "w/1").runs
        bench.restartGateway()
        end(runs[0], in: &bench)
        bench.carryOut(bench.state.cancelled(runs[0], userID: "u", worker: "w/1", now: bench.now))
        bench.hello("w/1")
        bench.beat("w/1", naming: runs, free: 0)
        #expect(bench.takeStops(of: "w/1") == [runs[0]])
        #expect(bench.holder(of: "a") == nil && bench.holder(of: "b") == "w/1")
    }

    @Test(
        "A run that is found to have ended when its lease is extended is stopped, frees its place and wakes waiters")
    func foundEnded() {
        var (bench, run) = busy()
        bench.submit([.sample("b", kind: .other)])
        end(run, in: &bench)
        bench.asked = []
        bench.carryOut(bench.state.foundEnded([run], now: bench.now))
        #expect(bench.takeStops(of: "w/1") == [run])
        #expect(bench.asked.contains(.changed([.init(id: "a", userID: "u")])))
        #expect(bench.takeJobs(of: "w/1").runs.map(\.jobID) == ["b"])
    }

    @Test("Later runs of the job, and runs that nobody holds, are ignored")
    func laterRun() {
        var (bench, run) = busy()
        bench.carryOut(
            bench.state.foundEnded(
                [JobRun(jobID: "a", run: run.run + 1), JobRun(jobID: "nobody's", run: 1)], now: bench.now))
        #expect(bench.takeStops(of: "w/1").isEmpty)
        #expect(bench.holder(of: "a") == "w/1")
    }
}
