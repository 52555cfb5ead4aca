import Contracts
import Model
import Testing

@testable import Jobs

@Suite("Blaming jobs for the death of a worker")
struct BlameTests {
    private func lastRelease(of fixture: DispatchFixture) -> DispatchAction.Release? { fixture.releases.last }

    @Test("The first death of a job that ran alone makes it a suspect; three more set it aside")
    func deathsOfAJobAlone() {
        var fixture = DispatchFixture()
        fixture.hello("w/1", credit: 1)
        fixture.submit([.sample("a")])
        for life in 2...5 {
            #expect(fixture.table["a"]?.isQuarantined == false)
            fixture.advance(by: .seconds(1))
            fixture.hello("w/\(life)", credit: 1)
        }
        #expect(fixture.releases.map(\.weight) == [0, 3, 3, 3])
        #expect(fixture.releases.allSatisfy { $0.group != nil })
        #expect(fixture.table["a"]?.isQuarantined == true)
    }

    @Test(
        "A job handed to a worker that had been silent for two heartbeats never ran",
        arguments: [(3_750, true), (4_000, false)])
    func deadBefore(silence: Int, isSuspected: Bool) {
        var fixture = DispatchFixture()
        fixture.hello("w/1", credit: 2)
        fixture.advance(by: .milliseconds(silence))
        fixture.submit([.sample("a")])
        #expect(fixture.takeJobs(of: "w/1").runs.count == 1)
        fixture.hello("w/2", credit: 2)
        #expect(lastRelease(of: fixture)?.afterCrash == true)
        #expect(lastRelease(of: fixture)?.weight == 0)
        #expect((lastRelease(of: fixture)?.group != nil) == isSuspected)
        #expect(fixture.takeJobs(of: "w/2").runs == [JobRun(jobID: "a", run: 2)])
        #expect(fixture.state.workers["w/2"]?.runsGroup == isSuspected)
    }

    @Test(
        "The death of a worker that was dead before the hand-out does not weigh against a suspect, which remains one")
    func suspectDeadBefore() {
        var fixture = DispatchFixture()
        fixture.hello("w/1", credit: 2)
        fixture.advance(by: .seconds(4))
        fixture.submit([.sample("s", group: "g")])
        fixture.hello("w/2", credit: 2)
        #expect(fixture.releases.map(\.weight) == [0] && fixture.state.workers["w/2"]?.runsGroup == true)
        // This worker sent a message when it got the job.
        fixture.hello("w/3", credit: 2)
        #expect(fixture.releases.map(\.weight) == [0, 3])
    }

    @Test("Jobs from before the silence become suspects; later ones do not, but because of them no job ran alone")
    func jobsFromBeforeTheSilence() {
        var fixture = DispatchFixture()
        fixture.hello("w/1", credit: 3)
        fixture.submit([.sample("a"), .sample("b")])
        fixture.advance(by: .seconds(4))
        fixture.submit([.sample("late")])
        fixture.hello("w/2", credit: 0)
        let groups = fixture.releases.map { "\($0.run.jobID) \($0.group ?? "-") \($0.weight)" }
        #expect(groups == ["a a/1 0", "b a/1 0", "late - 0"])
    }

    @Test(
        "A cancelled job counts as run beside others until a heartbeat no longer names it", arguments: [true, false])
    func cancelledJobCounts(hasAnswered: Bool) {
        var fixture = DispatchFixture()
        fixture.hello("w/1", credit: 2)
        fixture.submit([.sample("s0", group: "g"), .sample("s1", group: "g")])
        let handed = fixture.takeJobs(of: "w/1")
        fixture.beat("w/1", naming: handed.runs, free: 0, received: handed.sequence)
        let run = JobRun(jobID: "s0", run: 1)
        fixture.table["s0"]?.isFinished = true
        fixture.table["s0"]?.worker = nil
        fixture.carryOut(fixture.state.cancelled(run, userID: "u", worker: "w/1", now: fixture.now))
        let named = hasAnswered ? handed.runs.filter { $0 != run } : handed.runs
        fixture.beat("w/1", naming: named, free: 0, received: handed.sequence)
        fixture.hello("w/2", credit: 0)
        #expect(fixture.releases.map(\.run.jobID) == ["s1"])
        #expect(lastRelease(of: fixture)?.weight == (hasAnswered ? CrashScores.singleDeathWeight : 0))
        #expect(lastRelease(of: fixture)?.group != nil)
    }
}
