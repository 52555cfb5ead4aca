import Contracts
import Model
import Testing

@testable import Jobs

@Suite("Runs that have ended in the database while a worker holds them")
struct StoppedRunTests {
    private static let limited = JobKind(
        name: "other.kind", version: 1, submitter: .user, maximumRunTime: .seconds(60), maximumRunning: 1)

    /// A worker that runs the only job that the limit of its kind allows.
    private func busy() -> (fixture: DispatchFixture, run: JobRun) {
        var fixture = DispatchFixture(kinds: [Self.limited])
        fixture.hello("w/1", kinds: [.other], credit: 4)
        fixture.submit([.sample("a", kind: .other)])
        let handed = fixture.takeJobs(of: "w/1")
        fixture.beat("w/1", naming: handed.runs, free: 3, received: handed.sequence)
        return (fixture, JobRun(jobID: "a", run: 1))
    }

    private func end(_ run: JobRun, in fixture: inout DispatchFixture) {
        fixture.table[run.jobID]?.isFinished = true
        fixture.table[run.jobID]?.worker = nil
    }

    @Test("A run cancelled before its worker says hello to a new gateway is stopped at the next heartbeat")
    func cancelledBeforeHello() {
        var (fixture, run) = busy()
        fixture.restartGateway()
        end(run, in: &fixture)
        fixture.carryOut(fixture.state.cancelled(run, userID: "u", worker: "w/1", now: fixture.now))
        #expect(fixture.state.orphans.isEmpty)
        #expect(fixture.state.limits.running["other.kind"]?.isEmpty == true)
        fixture.hello("w/1", kinds: [.other])
        fixture.submit([.sample("b", kind: .other)])
        fixture.beat("w/1", naming: [run], free: 3)
        #expect(fixture.takeStops(of: "w/1") == [run])
        #expect(fixture.takeJobs(of: "w/1").runs.map(\.jobID) == ["b"])
        fixture.advance(by: .seconds(11))
        let released = fixture.releases.map(\.run.jobID)
        #expect(!released.contains("a"))
    }

    @Test("The worker retains its other runs")
    func otherOrphan() {
        var fixture = DispatchFixture()
        fixture.hello("w/1", credit: 2)
        fixture.submit([.sample("a"), .sample("b")])
        let runs = fixture.takeJobs(of: "w/1").runs
        fixture.restartGateway()
        end(runs[0], in: &fixture)
        fixture.carryOut(fixture.state.cancelled(runs[0], userID: "u", worker: "w/1", now: fixture.now))
        fixture.hello("w/1")
        fixture.beat("w/1", naming: runs, free: 0)
        #expect(fixture.takeStops(of: "w/1") == [runs[0]])
        #expect(fixture.holder(of: "a") == nil && fixture.holder(of: "b") == "w/1")
    }

    @Test(
        "A run that is found to have ended when its lease is extended is stopped, frees its place and wakes waiters")
    func foundEnded() {
        var (fixture, run) = busy()
        fixture.submit([.sample("b", kind: .other)])
        end(run, in: &fixture)
        fixture.asked = []
        fixture.carryOut(fixture.state.foundEnded([run], now: fixture.now))
        #expect(fixture.takeStops(of: "w/1") == [run])
        #expect(fixture.asked.contains(.changed([.init(id: "a", userID: "u")])))
        #expect(fixture.takeJobs(of: "w/1").runs.map(\.jobID) == ["b"])
    }

    @Test("Later runs of the job, and runs that nobody holds, are ignored")
    func laterRun() {
        var (fixture, run) = busy()
        fixture.carryOut(
            fixture.state.foundEnded(
                [JobRun(jobID: "a", run: run.run + 1), JobRun(jobID: "nobody's", run: 1)], now: fixture.now))
        #expect(fixture.takeStops(of: "w/1").isEmpty)
        #expect(fixture.holder(of: "a") == "w/1")
    }
}
