import Contracts
import Model
import Testing

@testable import Jobs

/// The gateway reads the table while it writes claims. So a read from before an assignment may arrive after it, and the
/// job then waits in memory again.
@Suite("Outdated reads of the jobs table")
struct LateReadTests {
    /// A worker without room that runs `a` and `b`, while `a` also waits in memory.
    private func fixture() -> DispatchFixture {
        var fixture = DispatchFixture()
        fixture.hello("w/1", credit: 2)
        fixture.submit([.sample("a"), .sample("b")])
        let handed = fixture.takeJobs(of: "w/1")
        fixture.beat("w/1", naming: handed.runs, free: 0, received: handed.sequence)
        fixture.read([.sample("a")])
        #expect(fixture.state.readyRuns == ["a": 0])
        return fixture
    }

    @Test("A job believed to wait when its worker dies joins its crash group, and runs with nothing else")
    func crashGroup() {
        var fixture = fixture()
        fixture.advance(by: .seconds(11))
        #expect(fixture.state.groups.values.map { $0.members.map(\.id).sorted() } == [["a", "b"]])
        #expect(fixture.state.ready.isEmpty)
        fixture.submit([.sample("c"), .sample("d")])
        for worker in ["w/2", "v/1"] { fixture.hello(worker, credit: 4) }
        let handed = ["w/2", "v/1"].map { fixture.takeJobs(of: $0).runs.map(\.jobID).sorted() }
        #expect(Set(handed) == [["a", "b"], ["c", "d"]])
    }

    @Test("A hand-out that was decided on an outdated read is not written once the job has died with a worker")
    func claimOfAnOutdatedRead() {
        var fixture = fixture()
        fixture.holdsClaims = true
        fixture.hello("v/1", credit: 1)
        #expect(fixture.heldClaims.map(\.job.id) == ["a"])
        fixture.advance(by: .seconds(5))
        fixture.beat("v/1", naming: [], free: 0)
        fixture.advance(by: .seconds(6))
        #expect(fixture.state.groups.values.map { $0.members.map(\.id).sorted() } == [["a", "b"]])
        fixture.holdsClaims = false
        fixture.commitClaims()
        #expect(fixture.table["a"]?.worker == nil)
        fixture.hello("x/1", credit: 4)
        #expect(fixture.takeJobs(of: "x/1").runs.map(\.jobID).sorted() == ["a", "b"])
    }

    @Test("A read from before a run does not replace newer information")
    func readFromBeforeARun() {
        var fixture = fixture()
        fixture.advance(by: .seconds(11))
        fixture.read([.sample("a")])
        #expect(fixture.state.ready.isEmpty && fixture.state.readyRuns == ["a": 1, "b": 1])
    }

    @Test("A job that waited in a group and has run since leaves the group")
    func leavesGroup() {
        var fixture = DispatchFixture()
        fixture.submit([.sample("a", group: "g"), .sample("b", group: "g")])
        var later = ReadyJob.sample("a")
        later.lastRun = 1
        fixture.read([later])
        #expect(fixture.state.groups["g"]?.members.map(\.id) == ["b"])
        #expect(fixture.state.ready.count == 1)
    }
}
