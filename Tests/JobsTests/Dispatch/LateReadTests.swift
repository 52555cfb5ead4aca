import Contracts
import Model
import Testing

@testable import Jobs

/// The gateway reads the table while it writes claims. So a read from before a hand-out may arrive after it, and the
/// job then waits in memory again.
@Suite("Outdated reads of the jobs table")
struct LateReadTests {
    /// A worker without room that runs `a` and `b`, while `a` also waits in memory.
    private func bench() -> DispatchBench {
        var bench = DispatchBench()
        bench.hello("w/1", credit: 2)
        bench.submit([.sample("a"), .sample("b")])
        let handed = bench.takeJobs(of: "w/1")
        bench.beat("w/1", naming: handed.runs, free: 0, received: handed.sequence)
        bench.read([.sample("a")])
        #expect(bench.state.readyRuns == ["a": 0])
        return bench
    }

    @Test("A job believed to wait when its worker dies joins its crash group, and runs with nothing else")
    func crashGroup() {
        var bench = bench()
        bench.advance(by: .seconds(11))
        #expect(bench.state.groups.values.map { $0.members.map(\.id).sorted() } == [["a", "b"]])
        #expect(bench.state.ready.isEmpty)
        bench.submit([.sample("c"), .sample("d")])
        for worker in ["w/2", "v/1"] { bench.hello(worker, credit: 4) }
        let handed = ["w/2", "v/1"].map { bench.takeJobs(of: $0).runs.map(\.jobID).sorted() }
        #expect(Set(handed) == [["a", "b"], ["c", "d"]])
    }

    @Test("A hand-out that was decided on an outdated read is not written once the job has died with a worker")
    func claim() {
        var bench = bench()
        bench.holdsClaims = true
        bench.hello("v/1", credit: 1)
        #expect(bench.heldClaims.map(\.job.id) == ["a"])
        bench.advance(by: .seconds(5))
        bench.beat("v/1", naming: [], free: 0)
        bench.advance(by: .seconds(6))
        #expect(bench.state.groups.values.map { $0.members.map(\.id).sorted() } == [["a", "b"]])
        bench.holdsClaims = false
        bench.commitClaims()
        #expect(bench.table["a"]?.worker == nil)
        bench.hello("x/1", credit: 4)
        #expect(bench.takeJobs(of: "x/1").runs.map(\.jobID).sorted() == ["a", "b"])
    }

    @Test("A read from before a run does not replace newer information")
    func order() {
        var bench = bench()
        bench.advance(by: .seconds(11))
        bench.read([.sample("a")])
        #expect(bench.state.ready.isEmpty && bench.state.readyRuns == ["a": 1, "b": 1])
    }

    @Test("A job that waited in a group and has run since leaves the group")
    func leavesGroup() {
        var bench = DispatchBench()
        bench.submit([.sample("a", group: "g"), .sample("b", group: "g")])
        var later = ReadyJob.sample("a")
        later.lastRun = 1
        bench.read([later])
        #expect(bench.state.groups["g"]?.members.map(\.id) == ["b"])
        #expect(bench.state.ready.count == 1)
    }
}
