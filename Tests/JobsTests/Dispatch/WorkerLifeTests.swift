import Contracts
import Model
import Testing

@testable import Jobs

@Suite("Connected and silent workers")
struct WorkerLifeTests {
    /// A worker that holds `count` jobs.
    private func busy(_ count: Int = 1, worker: String = "w/1") -> (bench: DispatchBench, runs: [JobRun]) {
        var bench = DispatchBench()
        bench.hello(worker, credit: Int32(count))
        bench.submit((0..<count).map { .sample("j\($0)") })
        let handed = bench.takeJobs(of: worker)
        bench.beat(worker, naming: handed.runs, free: 0, received: handed.sequence)
        bench.sent = []
        return (bench, handed.runs)
    }

    @Test("Heartbeats keep a worker and its runs alive; silence for a lease releases the runs as after a crash")
    func silence() {
        var (bench, runs) = busy()
        for _ in 0..<10 {
            bench.advance(by: .seconds(2))
            bench.beat("w/1", naming: runs, free: 0)
        }
        #expect(bench.releases.isEmpty)
        bench.advance(by: .seconds(10))
        #expect(bench.releases.isEmpty)
        bench.advance(by: .seconds(1))
        #expect(bench.releases.map(\.run) == runs)
        #expect(bench.releases.allSatisfy { $0.afterCrash })
        #expect(bench.state.workers.isEmpty)
        // Its first message afterwards is answered with IDENTIFY, the next with STOP.
        bench.beat("w/1", naming: runs, free: 0)
        #expect(bench.sent.last?.message == .identify)
        bench.hello("w/1")
        bench.beat("w/1", naming: runs, free: 0)
        #expect(bench.takeStops(of: "w/1") == runs)
    }

    @Test("A worker whose key is revoked loses its runs at once, without blame")
    func keyRevoked() {
        var (bench, runs) = busy(2)
        bench.carryOut(bench.state.keyRevoked(of: "w/1", now: bench.now))
        #expect(bench.releases.map(\.run) == runs)
        #expect(bench.releases.allSatisfy { !$0.afterCrash && $0.weight == 0 })
        #expect(bench.state.workers.isEmpty)
        bench.carryOut(bench.state.keyRevoked(of: "w/1", now: bench.now))
        #expect(bench.releases.count == 2)
    }

    @Test(
        "A kind has a worker while one is connected and not draining, and may have one just after the gateway's start")
    func workersOfKinds() {
        var bench = DispatchBench()
        func has(_ kind: KindVersion) -> Bool { bench.state.hasWorker(for: kind, now: bench.now) }
        #expect(has(.echo) && has(.other))
        bench.advance(by: DispatchBench.settings.heartbeat * 2)
        #expect(!has(.echo))
        bench.hello("w/1")
        #expect(has(.echo) && !has(.other))
        bench.say(.draining, from: "w/1")
        #expect(!has(.echo))
        bench.hello("x/1", kinds: [.echo, .other])
        #expect(has(.echo) && has(.other))
        bench.advance(by: .seconds(11))
        #expect(!has(.echo) && !has(.other))
    }

    @Test("A name that differs from the epoch's is ignored")
    func foreignName() {
        var bench = busy().bench
        let forged = WorkerIntroduction(name: "w", epoch: "x/2", processID: 1, kinds: [])
        bench.say(.hello(forged), from: "x/2")
        #expect(bench.releases.isEmpty && bench.state.workers.keys.sorted() == ["w/1"])
        #expect(bench.sent.allSatisfy { $0.worker != "x/2" })
    }

    @Test("Leases are extended when less than half of them is left, including in the table")
    func extensions() {
        var (bench, runs) = busy()
        bench.asked = []
        for _ in 0..<2 {
            bench.advance(by: .seconds(2))
            bench.beat("w/1", naming: runs, free: 0)
        }
        #expect(!bench.asked.contains(.extend(runs)))
        bench.advance(by: .seconds(2))
        bench.beat("w/1", naming: runs, free: 0)
        #expect(bench.asked.contains(.extend(runs)))
    }

    @Test("Time during which the gateway was stopped does not count as silence")
    func pause() {
        var (bench, runs) = busy()
        bench.advance(by: .seconds(2))
        bench.beat("w/1", naming: runs, free: 0)
        bench.now = bench.now.advanced(by: .seconds(3_600))
        bench.carryOut(bench.state.tick(now: bench.now))
        #expect(bench.releases.isEmpty)
        #expect(bench.state.workers.count == 1)
        bench.beat("w/1", naming: runs, free: 0)
        #expect(bench.takeStops(of: "w/1").isEmpty)
        bench.advance(by: .seconds(11))
        #expect(bench.releases.map(\.run) == runs)
    }

    @Test("A restarted worker's earlier runs are released at once")
    func restart() {
        var (bench, runs) = busy(3)
        bench.hello("w/2", credit: 0)
        #expect(bench.releases.map(\.run) == runs)
        #expect(bench.releases.allSatisfy { $0.afterCrash && $0.weight == 0 })
        #expect(bench.state.workers.keys.sorted() == ["w/2"])
    }

    @Test("A late message from an earlier process does not end the present one")
    func lateHello() {
        var (bench, runs) = busy(2, worker: "w/2")
        bench.hello("w/1")
        #expect(bench.releases.isEmpty)
        #expect(bench.sent.isEmpty)
        #expect(bench.state.workers.keys.sorted() == ["w/2"])
        bench.beat("w/2", naming: runs, free: 0)
        #expect(bench.takeStops(of: "w/2").isEmpty)
    }

    @Test("A goodbye releases runs without blame, and a duplicate or late one is harmless")
    func goodbye() {
        var (bench, runs) = busy(2)
        bench.say(.goodbye, from: "w/1")
        #expect(bench.releases.map(\.run) == runs)
        #expect(bench.releases.allSatisfy { !$0.afterCrash && $0.weight == 0 })
        bench.say(.goodbye, from: "w/1")
        #expect(bench.sent.isEmpty)
        #expect(bench.state.workers.isEmpty)
    }

    @Test("A draining worker gets no jobs and keeps its runs")
    func draining() {
        var bench = DispatchBench()
        bench.hello("w/1", credit: 5)
        bench.submit([.sample("a")])
        bench.say(.draining, from: "w/1")
        bench.submit([.sample("b")])
        bench.beat("w/1", naming: [JobRun(jobID: "a", run: 1)], free: 5)
        #expect(bench.takeJobs(of: "w/1").runs == [JobRun(jobID: "a", run: 1)])
        #expect(bench.reserve(1, kind: .echo) == [])
        #expect(bench.holder(of: "a") == "w/1")
        bench.submit([.sample("suspect", group: "g")])
        #expect(bench.takeJobs(of: "w/1").runs.isEmpty)
    }

    @Test("Workers are asked to stop unknown runs, and other runs of known jobs")
    func unknownRun() {
        var (bench, runs) = busy()
        let strange = [JobRun(jobID: "nobody's", run: 1), JobRun(jobID: runs[0].jobID, run: 7)]
        bench.beat("w/1", naming: strange + runs, free: 0)
        #expect(bench.takeStops(of: "w/1") == strange)
        #expect(bench.holder(of: runs[0].jobID) == "w/1")
    }

    @Test("The run of a worker that dies while its claim is committed is released at once, without blame")
    func diesDuringClaim() {
        var bench = DispatchBench()
        bench.hello("w/1", credit: 1)
        bench.holdsClaims = true
        bench.submit([.sample("a")])
        bench.say(.goodbye, from: "w/1")
        bench.holdsClaims = false
        bench.commitClaims()
        #expect(bench.releases.map(\.run) == [JobRun(jobID: "a", run: 1)])
        #expect(bench.releases.allSatisfy { !$0.afterCrash })
        bench.hello("v/1", credit: 1)
        #expect(bench.takeJobs(of: "v/1").runs == [JobRun(jobID: "a", run: 2)])
    }

    @Test("Progress counts only from the worker that holds the run")
    func progress() {
        var (bench, runs) = busy()
        let own = RunProgress(run: runs[0], JobProgress(done: 1, total: 2))
        let stale = RunProgress(run: JobRun(jobID: runs[0].jobID, run: 9), JobProgress(done: 2, total: 2))
        bench.asked = []
        bench.say(.progress([own, stale]), from: "w/1")
        #expect(bench.asked == [.progress([own])])
        bench.hello("v/1")
        bench.asked = []
        bench.say(.progress([own]), from: "v/1")
        #expect(bench.asked == [.progress([])])
    }

    @Test("A retry is scheduled once; a repeated message is ignored")
    func rescheduled() {
        var (bench, runs) = busy()
        let done = WorkerMessage.done(
            ended: [EndedRun(run: runs[0], outcome: .rescheduled, runAt: 77)], credit: .init(free: 1, received: 0))
        bench.asked = []
        bench.say(done, from: "w/1")
        #expect(bench.asked.contains(.schedule(jobID: runs[0].jobID, at: Timestamp(microseconds: 77))))
        bench.asked = []
        bench.say(done, from: "w/1")
        #expect(bench.asked == [.changed([.init(id: runs[0].jobID, userID: nil)])])
    }

    @Test("Many jobs handed back at once cause one poll of the table")
    func handedBack() {
        var (bench, runs) = busy(5)
        bench.asked = []
        bench.say(
            .done(ended: runs.map { EndedRun(run: $0, outcome: .handedBack) }, credit: .init(free: 0, received: 0)),
            from: "w/1")
        #expect(bench.asked.filter { $0 == .pollTable }.count == 1)
        #expect(bench.state.workers["w/1"]?.held.isEmpty == true)
    }
}

@Suite("A gateway that starts again")
struct GatewayRestartTests {
    /// A gateway that finds runs of two workers in the table.
    private func restarted(group: String? = nil) -> DispatchBench {
        var bench = DispatchBench()
        for (id, worker) in [("a", "w/1"), ("b", "w/1"), ("c", "v/1")] where group == nil || id != "b" {
            let job = ReadyJob.sample(id, group: group)
            bench.table[id] = .init(job: job, run: 4, worker: worker)
            bench.state.addOrphan(
                .init(run: 4, job: job, handedAt: bench.now, storedExpiry: bench.now), of: worker)
        }
        return bench
    }

    @Test("A worker with the same epoch gets its runs back")
    func adoption() {
        var bench = restarted()
        let runs = ["a", "b"].map { JobRun(jobID: $0, run: 4) }
        bench.beat("w/1", naming: runs, free: 0)
        #expect(bench.sent.last?.message == .identify)
        bench.hello("w/1")
        bench.beat("w/1", naming: runs, free: 0)
        #expect(bench.asked.contains(.extend(runs)))
        #expect(bench.releases.isEmpty)
        bench.advance(by: .seconds(8))
        bench.beat("w/1", naming: runs, free: 0)
        // The other worker never said hello.
        bench.advance(by: .seconds(3))
        #expect(bench.releases.map(\.run) == [JobRun(jobID: "c", run: 4)])
        #expect(bench.releases.allSatisfy { $0.afterCrash })
        #expect(bench.holder(of: "a") == "w/1")
    }

    @Test("Nothing is released for one lease; then runs that no worker has claimed are released")
    func oneLease() {
        var bench = restarted()
        bench.advance(by: .seconds(9))
        #expect(bench.releases.isEmpty)
        bench.advance(by: .seconds(2))
        #expect(Set(bench.releases.map(\.run.jobID)) == ["a", "b", "c"])
        #expect(bench.state.orphans.isEmpty)
    }

    @Test("A death together with the gateway makes no suspects and has no weight, but is recorded")
    func outage() {
        var bench = restarted()
        bench.advance(by: .seconds(11))
        #expect(bench.releases.count == 3)
        #expect(bench.releases.allSatisfy { $0.isOutage && $0.group == nil && $0.weight == 0 })
        #expect(bench.table.values.allSatisfy { $0.job.ranAtOutage && !$0.job.isSuspect })
    }

    @Test("A new epoch of a name releases the earlier epoch's runs at once")
    func newEpoch() {
        var bench = restarted()
        bench.hello("w/2")
        #expect(bench.releases.map(\.run.jobID) == ["a", "b"])
        #expect(bench.state.orphans.keys.sorted() == ["v/1"])
    }

    @Test("A run that ended while the gateway was away is released after two heartbeats that do not name it")
    func endedUnheard() {
        var bench = restarted()
        bench.hello("w/1")
        for _ in 0..<2 {
            bench.beat("w/1", naming: [JobRun(jobID: "a", run: 4)], free: 0)
            bench.advance(by: .seconds(2))
        }
        #expect(bench.releases.map(\.run) == [JobRun(jobID: "b", run: 4)])
        #expect(bench.releases.allSatisfy { !$0.afterCrash })
    }

    @Test("A new gateway keeps a suspect's worker isolated")
    func suspectStaysAlone() {
        var bench = restarted(group: "g")
        bench.hello("w/1")
        bench.beat("w/1", naming: [JobRun(jobID: "a", run: 4)], free: 5)
        bench.submit([.sample("new")])
        #expect(bench.takeJobs(of: "w/1").runs.isEmpty)
        bench.finish([JobRun(jobID: "a", run: 4)], by: "w/1", free: 5, received: 0)
        #expect(bench.takeJobs(of: "w/1").runs.map(\.jobID) == ["new"])
    }
}
