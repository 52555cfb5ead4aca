import Contracts
import Model
import Testing

@testable import Jobs

@Suite("Connected and silent workers")
struct WorkerLifeTests {
    /// A worker that holds `count` jobs.
    private func busy(_ count: Int = 1, worker: String = "w/1") -> (fixture: DispatchFixture, runs: [JobRun]) {
        var fixture = DispatchFixture()
        fixture.hello(worker, credit: Int32(count))
        fixture.submit((0..<count).map { .sample("j\($0)") })
        let handed = fixture.takeJobs(of: worker)
        fixture.beat(worker, naming: handed.runs, free: 0, received: handed.sequence)
        fixture.sent = []
        return (fixture, handed.runs)
    }

    @Test("Heartbeats keep a worker and its runs alive; silence for a lease releases the runs as after a crash")
    func silenceForALease() {
        var (fixture, runs) = busy()
        for _ in 0..<10 {
            fixture.advance(by: .seconds(2))
            fixture.beat("w/1", naming: runs, free: 0)
        }
        #expect(fixture.releases.isEmpty)
        fixture.advance(by: .seconds(10))
        #expect(fixture.releases.isEmpty)
        fixture.advance(by: .seconds(1))
        #expect(fixture.releases.map(\.run) == runs)
        #expect(fixture.releases.allSatisfy { $0.afterCrash })
        #expect(fixture.state.workers.isEmpty)
        // Its first message afterwards is answered with IDENTIFY, the next with STOP.
        fixture.beat("w/1", naming: runs, free: 0)
        #expect(fixture.sent.last?.message == .identify)
        fixture.hello("w/1")
        fixture.beat("w/1", naming: runs, free: 0)
        #expect(fixture.takeStops(of: "w/1") == runs)
    }

    @Test("A worker whose key is revoked loses its runs at once, without blame")
    func keyRevoked() {
        var (fixture, runs) = busy(2)
        fixture.carryOut(fixture.state.keyRevoked(of: "w/1", now: fixture.now))
        #expect(fixture.releases.map(\.run) == runs)
        #expect(fixture.releases.allSatisfy { !$0.afterCrash && $0.weight == 0 })
        #expect(fixture.state.workers.isEmpty)
        fixture.carryOut(fixture.state.keyRevoked(of: "w/1", now: fixture.now))
        #expect(fixture.releases.count == 2)
    }

    @Test(
        "A kind has a worker while one is connected and not draining, and may have one just after the gateway's start")
    func workersOfKinds() {
        var fixture = DispatchFixture()
        func has(_ kind: KindVersion) -> Bool { fixture.state.hasWorker(for: kind, now: fixture.now) }
        #expect(has(.echo) && has(.other))
        fixture.advance(by: DispatchFixture.settings.heartbeat * 2)
        #expect(!has(.echo))
        fixture.hello("w/1")
        #expect(has(.echo) && !has(.other))
        fixture.say(.draining, from: "w/1")
        #expect(!has(.echo))
        fixture.hello("x/1", kinds: [.echo, .other])
        #expect(has(.echo) && has(.other))
        fixture.advance(by: .seconds(11))
        #expect(!has(.echo) && !has(.other))
    }

    @Test("A name that differs from the epoch's is ignored")
    func foreignName() {
        var fixture = busy().fixture
        let forged = WorkerIntroduction(name: "w", instance: "x/2", processID: 1, kinds: [])
        fixture.say(.hello(forged), from: "x/2")
        #expect(fixture.releases.isEmpty && fixture.state.workers.keys.sorted() == ["w/1"])
        #expect(fixture.sent.allSatisfy { $0.worker != "x/2" })
    }

    @Test("Leases are extended when less than half of them is left, including in the table")
    func extendedLeases() {
        var (fixture, runs) = busy()
        fixture.asked = []
        for _ in 0..<2 {
            fixture.advance(by: .seconds(2))
            fixture.beat("w/1", naming: runs, free: 0)
        }
        #expect(!fixture.asked.contains(.extend(runs)))
        fixture.advance(by: .seconds(2))
        fixture.beat("w/1", naming: runs, free: 0)
        #expect(fixture.asked.contains(.extend(runs)))
    }

    @Test("Time during which the gateway was stopped does not count as silence")
    func stoppedGateway() {
        var (fixture, runs) = busy()
        fixture.advance(by: .seconds(2))
        fixture.beat("w/1", naming: runs, free: 0)
        fixture.now = fixture.now.advanced(by: .seconds(3_600))
        fixture.carryOut(fixture.state.tick(now: fixture.now))
        #expect(fixture.releases.isEmpty)
        #expect(fixture.state.workers.count == 1)
        fixture.beat("w/1", naming: runs, free: 0)
        #expect(fixture.takeStops(of: "w/1").isEmpty)
        fixture.advance(by: .seconds(11))
        #expect(fixture.releases.map(\.run) == runs)
    }

    @Test("A restarted worker's earlier runs are released at once")
    func restartedWorker() {
        var (fixture, runs) = busy(3)
        fixture.hello("w/2", credit: 0)
        #expect(fixture.releases.map(\.run) == runs)
        #expect(fixture.releases.allSatisfy { $0.afterCrash && $0.weight == 0 })
        #expect(fixture.state.workers.keys.sorted() == ["w/2"])
    }

    @Test("A late message from an earlier process does not end the present one")
    func lateHello() {
        var (fixture, runs) = busy(2, worker: "w/2")
        fixture.hello("w/1")
        #expect(fixture.releases.isEmpty)
        #expect(fixture.sent.isEmpty)
        #expect(fixture.state.workers.keys.sorted() == ["w/2"])
        fixture.beat("w/2", naming: runs, free: 0)
        #expect(fixture.takeStops(of: "w/2").isEmpty)
    }

    @Test("A goodbye releases runs without blame, and a duplicate or late one is harmless")
    func goodbyeWithoutBlame() {
        var (fixture, runs) = busy(2)
        fixture.say(.goodbye, from: "w/1")
        #expect(fixture.releases.map(\.run) == runs)
        #expect(fixture.releases.allSatisfy { !$0.afterCrash && $0.weight == 0 })
        fixture.say(.goodbye, from: "w/1")
        #expect(fixture.sent.isEmpty)
        #expect(fixture.state.workers.isEmpty)
    }

    @Test("A draining worker gets no jobs and keeps its runs")
    func drainingWorker() {
        var fixture = DispatchFixture()
        fixture.hello("w/1", credit: 5)
        fixture.submit([.sample("a")])
        fixture.say(.draining, from: "w/1")
        fixture.submit([.sample("b")])
        fixture.beat("w/1", naming: [JobRun(jobID: "a", run: 1)], free: 5)
        #expect(fixture.takeJobs(of: "w/1").runs == [JobRun(jobID: "a", run: 1)])
        #expect(fixture.reserve(1, kind: .echo) == [])
        #expect(fixture.holder(of: "a") == "w/1")
        fixture.submit([.sample("suspect", group: "g")])
        #expect(fixture.takeJobs(of: "w/1").runs.isEmpty)
    }

    @Test("Workers are asked to stop unknown runs, and other runs of known jobs")
    func unknownRun() {
        var (fixture, runs) = busy()
        let strange = [JobRun(jobID: "nobody's", run: 1), JobRun(jobID: runs[0].jobID, run: 7)]
        fixture.beat("w/1", naming: strange + runs, free: 0)
        #expect(fixture.takeStops(of: "w/1") == strange)
        #expect(fixture.holder(of: runs[0].jobID) == "w/1")
    }

    @Test("The run of a worker that dies while its claim is committed is released at once, without blame")
    func diesDuringClaim() {
        var fixture = DispatchFixture()
        fixture.hello("w/1", credit: 1)
        fixture.holdsClaims = true
        fixture.submit([.sample("a")])
        fixture.say(.goodbye, from: "w/1")
        fixture.holdsClaims = false
        fixture.commitClaims()
        #expect(fixture.releases.map(\.run) == [JobRun(jobID: "a", run: 1)])
        #expect(fixture.releases.allSatisfy { !$0.afterCrash })
        fixture.hello("v/1", credit: 1)
        #expect(fixture.takeJobs(of: "v/1").runs == [JobRun(jobID: "a", run: 2)])
    }

    @Test("Progress counts only from the worker that holds the run")
    func progressOfTheHolder() {
        var (fixture, runs) = busy()
        let own = RunProgress(run: runs[0], JobProgress(done: 1, total: 2))
        let stale = RunProgress(run: JobRun(jobID: runs[0].jobID, run: 9), JobProgress(done: 2, total: 2))
        fixture.asked = []
        fixture.say(.progress([own, stale]), from: "w/1")
        #expect(fixture.asked == [.progress([own])])
        fixture.hello("v/1")
        fixture.asked = []
        fixture.say(.progress([own]), from: "v/1")
        #expect(fixture.asked == [.progress([])])
    }

    @Test("A retry is scheduled once; a repeated message is ignored")
    func rescheduledRun() {
        var (fixture, runs) = busy()
        let done = WorkerMessage.done(
            ended: [RunReport(run: runs[0], outcome: .rescheduled, runAt: 77)], credit: .init(free: 1, received: 0))
        fixture.asked = []
        fixture.say(done, from: "w/1")
        #expect(fixture.asked.contains(.schedule(jobID: runs[0].jobID, at: Timestamp(microseconds: 77))))
        fixture.asked = []
        fixture.say(done, from: "w/1")
        #expect(fixture.asked == [.changed([.init(id: runs[0].jobID, userID: nil)])])
    }

    @Test("Many jobs handed back at once cause one poll of the table")
    func handedBack() {
        var (fixture, runs) = busy(5)
        fixture.asked = []
        fixture.say(
            .done(ended: runs.map { RunReport(run: $0, outcome: .handedBack) }, credit: .init(free: 0, received: 0)),
            from: "w/1")
        #expect(fixture.asked.filter { $0 == .pollTable }.count == 1)
        #expect(fixture.state.workers["w/1"]?.held.isEmpty == true)
    }
}

@Suite("A gateway that starts again")
struct GatewayRestartTests {
    /// A gateway that finds runs of two workers in the table.
    private func restarted(group: String? = nil) -> DispatchFixture {
        var fixture = DispatchFixture()
        for (id, worker) in [("a", "w/1"), ("b", "w/1"), ("c", "v/1")] where group == nil || id != "b" {
            let job = ReadyJob.sample(id, group: group)
            fixture.table[id] = .init(job: job, run: 4, worker: worker)
            fixture.state.addOrphan(
                .init(run: 4, job: job, handedAt: fixture.now, storedExpiry: fixture.now), of: worker)
        }
        return fixture
    }

    @Test("A worker with the same epoch gets its runs back")
    func workerReturns() {
        var fixture = restarted()
        let runs = ["a", "b"].map { JobRun(jobID: $0, run: 4) }
        fixture.beat("w/1", naming: runs, free: 0)
        #expect(fixture.sent.last?.message == .identify)
        fixture.hello("w/1")
        fixture.beat("w/1", naming: runs, free: 0)
        #expect(fixture.asked.contains(.extend(runs)))
        #expect(fixture.releases.isEmpty)
        fixture.advance(by: .seconds(8))
        fixture.beat("w/1", naming: runs, free: 0)
        // The other worker never said hello.
        fixture.advance(by: .seconds(3))
        #expect(fixture.releases.map(\.run) == [JobRun(jobID: "c", run: 4)])
        #expect(fixture.releases.allSatisfy { $0.afterCrash })
        #expect(fixture.holder(of: "a") == "w/1")
    }

    @Test("Nothing is released for one lease; then runs that no worker has claimed are released")
    func oneLease() {
        var fixture = restarted()
        fixture.advance(by: .seconds(9))
        #expect(fixture.releases.isEmpty)
        fixture.advance(by: .seconds(2))
        #expect(Set(fixture.releases.map(\.run.jobID)) == ["a", "b", "c"])
        #expect(fixture.state.orphans.isEmpty)
    }

    @Test("A death together with the gateway makes no suspects and has no weight, but is recorded")
    func deathWithTheGateway() {
        var fixture = restarted()
        fixture.advance(by: .seconds(11))
        #expect(fixture.releases.count == 3)
        #expect(fixture.releases.allSatisfy { $0.isOutage && $0.group == nil && $0.weight == 0 })
        #expect(fixture.table.values.allSatisfy { $0.job.ranAtOutage && !$0.job.isSuspect })
    }

    @Test("A new epoch of a name releases the earlier epoch's runs at once")
    func newInstance() {
        var fixture = restarted()
        fixture.hello("w/2")
        #expect(fixture.releases.map(\.run.jobID) == ["a", "b"])
        #expect(fixture.state.orphans.keys.sorted() == ["v/1"])
    }

    @Test("A run that ended while the gateway was away is released after two heartbeats that do not name it")
    func endedUnheard() {
        var fixture = restarted()
        fixture.hello("w/1")
        for _ in 0..<2 {
            fixture.beat("w/1", naming: [JobRun(jobID: "a", run: 4)], free: 0)
            fixture.advance(by: .seconds(2))
        }
        #expect(fixture.releases.map(\.run) == [JobRun(jobID: "b", run: 4)])
        #expect(fixture.releases.allSatisfy { !$0.afterCrash })
    }

    @Test("A new gateway keeps a suspect's worker isolated")
    func suspectStaysAlone() {
        var fixture = restarted(group: "g")
        fixture.hello("w/1")
        fixture.beat("w/1", naming: [JobRun(jobID: "a", run: 4)], free: 5)
        fixture.submit([.sample("new")])
        #expect(fixture.takeJobs(of: "w/1").runs.isEmpty)
        fixture.finish([JobRun(jobID: "a", run: 4)], by: "w/1", free: 5, received: 0)
        #expect(fixture.takeJobs(of: "w/1").runs.map(\.jobID) == ["new"])
    }
}
