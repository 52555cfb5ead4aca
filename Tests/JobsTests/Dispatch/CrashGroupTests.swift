import Contracts
import Model
import Testing

@testable import Jobs

@Suite("Crash groups")
struct CrashGroupTests {
    /// A fixture on which the only worker died with `count` jobs.
    private func afterDeath(of count: Int) -> DispatchFixture {
        var fixture = DispatchFixture()
        fixture.hello("w/1", credit: Int32(count))
        fixture.submit((0..<count).map { .sample("j\($0)") })
        _ = fixture.takeJobs(of: "w/1")
        fixture.advance(by: .seconds(11))
        fixture.releases = []
        return fixture
    }

    /// Lets the worker die and restarts it; returns the jobs that it then gets.
    private func restart(_ fixture: inout DispatchFixture, as instance: String, credit: Int32) -> [String] {
        fixture.advance(by: .seconds(11))
        fixture.hello(instance, credit: credit)
        return fixture.takeJobs(of: instance).runs.map(\.jobID).sorted()
    }

    @Test("Members run together again without other work beside them, and a member that ends leaves the group")
    func membersRunTogether() {
        var fixture = afterDeath(of: 3)
        fixture.hello("w/2", credit: 5)
        let handed = fixture.takeJobs(of: "w/2")
        #expect(handed.runs.map(\.jobID).sorted() == ["j0", "j1", "j2"])
        fixture.beat("w/2", naming: handed.runs, free: 2, received: handed.sequence)
        #expect(fixture.reserve(1, kind: .echo) == [])
        fixture.submit([.sample("other")])
        fixture.finish(Array(handed.runs.dropLast()), by: "w/2", free: 4, received: handed.sequence)
        #expect(fixture.takeJobs(of: "w/2").runs.isEmpty)
        fixture.finish([handed.runs[2]], by: "w/2", free: 5, received: handed.sequence)
        #expect(fixture.takeJobs(of: "w/2").runs.map(\.jobID) == ["other"])
        #expect(fixture.state.groups.isEmpty)
    }

    @Test(
        "A group whose worker dies is halved; only deaths of a job that runs alone weigh, and three set it aside")
    func halvedGroup() {
        var fixture = afterDeath(of: 4)
        #expect(restart(&fixture, as: "w/2", credit: 9) == ["j0", "j1", "j2", "j3"])
        #expect(restart(&fixture, as: "w/3", credit: 9) == ["j0", "j1"])
        #expect(fixture.releases.allSatisfy { $0.weight == 0 && $0.group != nil })
        #expect(Set(fixture.releases.map(\.group)).count == 2)
        // The other half runs first, then a single job.
        #expect(restart(&fixture, as: "w/4", credit: 9) == ["j2", "j3"])
        fixture.finish(
            ["j2", "j3"].map { JobRun(jobID: $0, run: 3) }, by: "w/4", free: 9, received: Int64.max)
        #expect(fixture.takeJobs(of: "w/4").runs.map(\.jobID) == ["j0"])
        fixture.finish([JobRun(jobID: "j0", run: 4)], by: "w/4", free: 9, received: Int64.max)
        #expect(fixture.takeJobs(of: "w/4").runs.map(\.jobID) == ["j1"])
        for life in 5...6 { #expect(restart(&fixture, as: "w/\(life)", credit: 9) == ["j1"]) }
        #expect(restart(&fixture, as: "w/7", credit: 9) == [])
        let weights = fixture.releases.map(\.weight).filter { $0 > 0 }
        #expect(weights == [3, 3, 3])
        let quarantined = fixture.table.filter(\.value.isQuarantined).map(\.key)
        #expect(quarantined == ["j1"])
    }

    @Test("Every worker takes groups when nothing else waits, and half of them otherwise")
    func everyWorker() {
        for isOtherWorkWaiting in [false, true] {
            var fixture = DispatchFixture()
            if isOtherWorkWaiting { fixture.submit((0..<40).map { .sample("j\($0)") }) }
            fixture.submit((0..<4).flatMap { n in (0..<2).map { .sample("s\(n)\($0)", group: "g\(n)") } })
            // The workers connect together, as after a restart of the gateway.
            for worker in 1...4 { fixture.hello("w\(worker)/1") }
            for worker in 1...4 { fixture.beat("w\(worker)/1", naming: [], free: 3) }
            let apart = fixture.state.workers.values.filter(\.runsGroup)
            #expect(apart.count == (isOtherWorkWaiting ? 2 : 4))
            for worker in fixture.state.workers.values {
                let groups = Set(worker.held.values.map(\.job.group))
                #expect(groups.count == 1)
                #expect(worker.held.count == (worker.runsGroup ? 2 : 3))
            }
        }
    }

    @Test("A single worker alternates between groups and other work")
    func alternatingWithOtherWork() {
        var fixture = DispatchFixture()
        fixture.hello("w/1", credit: 2)
        fixture.submit((0..<4).flatMap { n in (0..<2).map { .sample("s\(n)\($0)", group: "g\(n)") } })
        fixture.submit((0..<8).map { .sample("j\($0)") })
        var turns: [[String]] = []
        for _ in 0..<8 {
            let handed = fixture.takeJobs(of: "w/1")
            turns.append(handed.runs.map(\.jobID).sorted())
            // They end one after the other, each reported by a message.
            for (index, run) in handed.runs.enumerated() {
                fixture.finish(
                    [run], by: "w/1", free: Int32(2 - handed.runs.count + index + 1), received: handed.sequence)
            }
        }
        #expect(
            turns == [
                ["s00", "s01"], ["j0", "j1"], ["s10", "s11"], ["j2", "j3"], ["s20", "s21"], ["j4", "j5"],
                ["s30", "s31"], ["j6", "j7"],
            ])
    }

    @Test("The only worker for some kind alternates even if other workers could run the groups")
    func onlyWorker() {
        var fixture = DispatchFixture()
        fixture.hello("v/1", kinds: [.echo], credit: 1)
        fixture.submit([.sample("busy")])
        fixture.hello("w/1", kinds: [.echo, .other], credit: 1)
        fixture.submit([.sample("o0", kind: .other), .sample("o1", kind: .other)])
        fixture.submit((0..<3).map { .sample("s\($0)", group: "g\($0)") })
        var order = fixture.takeJobs(of: "w/1").runs.map(\.jobID)
        for _ in 0..<3 {
            let run = JobRun(jobID: order.last ?? "", run: 1)
            fixture.finish([run], by: "w/1", free: 1, received: Int64.max)
            order += fixture.takeJobs(of: "w/1").runs.map(\.jobID)
        }
        #expect(order == ["o0", "s0", "o1", "s1"])
    }

    @Test("A group is cut to a worker's kinds and places, into parts of about the same size that run apart")
    func groupCutToAWorker() {
        var fixture = DispatchFixture()
        fixture.submit((0..<7).map { .sample("s\($0)", group: "g") } + [.sample("strange", kind: .other, group: "g")])
        // Three of four slots are for jobs below interactive priority, and one person may have two of these.
        for worker in ["v/1", "w/1"] { fixture.hello(worker, credit: 4, capacity: 4) }
        let (first, second) = (fixture.takeJobs(of: "v/1"), fixture.takeJobs(of: "w/1"))
        #expect(first.runs.map(\.jobID) == ["s0", "s1"])
        #expect(second.runs.map(\.jobID) == ["s2", "s3"])
        fixture.finish(first.runs, by: "v/1", free: 4, received: first.sequence)
        #expect(fixture.takeJobs(of: "v/1").runs.map(\.jobID) == ["s4", "s5"])
        // The death of one part does not concern the other.
        fixture.hello("w/2", credit: 0, capacity: 4)
        #expect(fixture.releases.map(\.run.jobID) == ["s2", "s3"])
        #expect(Set(fixture.releases.map(\.group)) == ["s2/1", "s3/1"])
        fixture.hello("x/1", kinds: [.other], credit: 1, capacity: 1)
        #expect(fixture.takeJobs(of: "x/1").runs.map(\.jobID) == ["strange"])
    }

    @Test("A group of an unknown kind blocks neither workers nor other groups")
    func unknownKind() {
        var fixture = DispatchFixture()
        fixture.hello("w/1", credit: 2)
        fixture.hello("v/1", credit: 2)
        fixture.submit([.sample("strange", kind: .other, group: "g"), .sample("s", group: "h")])
        let first = fixture.takeJobs(of: "w/1").runs + fixture.takeJobs(of: "v/1").runs
        #expect(first.map(\.jobID) == ["s"])
        fixture.submit((0..<4).map { .sample("j\($0)") })
        #expect(fixture.takeJobs(of: "w/1").runs.count + fixture.takeJobs(of: "v/1").runs.count == 2)
        let holder = fixture.holder(of: "s") ?? ""
        fixture.finish([JobRun(jobID: "s", run: 1)], by: holder, free: 2, received: Int64.max)
        #expect(fixture.takeJobs(of: holder).runs.count == 2)
        #expect(fixture.state.workers.values.allSatisfy { $0.isolation == .none })
        fixture.hello("x/1", kinds: [.other], credit: 1)
        #expect(fixture.takeJobs(of: "x/1").runs.map(\.jobID) == ["strange"])
        #expect(fixture.state.groups.isEmpty && fixture.state.readyRuns.isEmpty)
    }

    @Test("Cancelled members and members with a failed claim leave the group; after the last, the worker is free")
    func membersThatLeave() throws {
        var fixture = DispatchFixture()
        fixture.hello("w/1", credit: 3)
        fixture.holdsClaims = true
        fixture.submit((0..<3).map { .sample("s\($0)", group: "g") })
        fixture.table["s0"]?.isFinished = true
        fixture.commitClaims()
        let runs = fixture.takeJobs(of: "w/1").runs
        #expect(runs.map(\.jobID) == ["s1", "s2"])
        for run in runs {
            #expect(fixture.state.workers["w/1"]?.runsGroup == true)
            fixture.table[run.jobID]?.isFinished = true
            fixture.carryOut(fixture.state.cancelled(run, userID: "u", worker: "w/1", now: fixture.now))
        }
        #expect(fixture.takeStops(of: "w/1") == runs)
        #expect(fixture.state.workers["w/1"]?.isolation == ConnectedWorker.Isolation.none)
    }

    @Test("A group whose claims all fail frees its worker")
    func groupWithoutClaims() {
        var fixture = DispatchFixture()
        fixture.hello("w/1", credit: 2)
        fixture.holdsClaims = true
        fixture.submit([.sample("s", group: "g")])
        fixture.table["s"]?.isFinished = true
        fixture.commitClaims()
        #expect(fixture.state.workers["w/1"]?.isolation == ConnectedWorker.Isolation.none)
        #expect(fixture.state.workers["w/1"]?.reserved == 0)
    }

    @Test("A member that reaches a checkpoint is cleared; when all are, the worker takes other work")
    func membersAtCheckpoints() {
        var fixture = DispatchFixture()
        fixture.hello("w/1", credit: 3)
        fixture.submit((0..<2).map { .sample("s\($0)", group: "g") })
        let handed = fixture.takeJobs(of: "w/1")
        fixture.beat("w/1", naming: handed.runs, free: 1, received: handed.sequence)
        fixture.submit([.sample("other")])
        fixture.say(.cleared([JobRun(jobID: "s1", run: 9), handed.runs[0]]), from: "w/1")
        #expect(fixture.takeJobs(of: "w/1").runs.isEmpty)
        fixture.say(.cleared([handed.runs[1]]), from: "w/1")
        #expect(fixture.takeJobs(of: "w/1").runs.map(\.jobID) == ["other"])
    }

    @Test("A cleared member that dies with the rest of its group is halved with them")
    func deathAfterCheckpoint() {
        var fixture = DispatchFixture()
        fixture.hello("w/1", credit: 2)
        fixture.submit((0..<2).map { .sample("s\($0)", group: "g") })
        fixture.say(.cleared([fixture.takeJobs(of: "w/1").runs[0]]), from: "w/1")
        fixture.hello("w/2", credit: 0)
        #expect(fixture.releases.map(\.group) == ["s0/1", "s1/1"])
        #expect(fixture.releases.allSatisfy { $0.weight == 0 })
    }

    @Test("A claim from before its worker was considered dead does not join the group that the worker has run since")
    func earlierClaim() {
        var fixture = DispatchFixture()
        fixture.hello("w/1", credit: 3)
        fixture.holdsClaims = true
        fixture.submit([.sample("before")])
        fixture.advance(by: .seconds(11))
        fixture.hello("w/1", credit: 3)
        fixture.submit((0..<2).map { .sample("s\($0)", group: "g") })
        #expect(fixture.heldClaims.map(\.job.id) == ["before", "s0", "s1"])
        fixture.commitClaims()
        let handed = fixture.takeJobs(of: "w/1")
        #expect(handed.runs.map(\.jobID) == ["s0", "s1"])
        #expect(fixture.releases.map(\.run.jobID) == ["before"] && fixture.state.ready.count == 1)
        fixture.holdsClaims = false
        fixture.finish(handed.runs, by: "w/1", free: 3, received: handed.sequence)
        #expect(fixture.takeJobs(of: "w/1").runs == [JobRun(jobID: "before", run: 2)])
    }

    @Test("A group and its isolation survive a restart of the gateway")
    func restartedGateway() {
        var fixture = afterDeath(of: 4)
        fixture.restartGateway()
        #expect(restart(&fixture, as: "w/2", credit: 9) == ["j0", "j1", "j2", "j3"])
        fixture.restartGateway()
        fixture.hello("w/2", credit: 9)
        fixture.submit([.sample("other")])
        #expect(fixture.takeJobs(of: "w/2").runs.isEmpty)
        // The worker dies while the new gateway runs.
        fixture.hello("w/3", credit: 9)
        #expect(Set(fixture.releases.map(\.group)) == ["j0/2", "j2/2"])
    }
}
