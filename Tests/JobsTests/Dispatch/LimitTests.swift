import Contracts
import Model
import Testing

@testable import Jobs

extension JobKind {
    /// A kind with at most two running jobs, and one for each person.
    fileprivate static let limited = JobKind(
        name: "other.kind", version: 1, submitter: .user, maximumRunTime: .seconds(60), maximumRunning: 2,
        maximumRunningPerUser: 1)

    /// A kind with at most two running jobs.
    fileprivate static let ofTwo = JobKind(
        name: "other.kind", version: 1, submitter: .user, maximumRunTime: .seconds(60), maximumRunning: 2)
}

@Suite("Limits on running jobs of a kind")
struct LimitTests {
    private func bench(_ workers: Int = 2) -> DispatchBench {
        var bench = DispatchBench(kinds: [.limited])
        for worker in 1...workers { bench.hello("w\(worker)/1", kinds: [.echo, .other], credit: 8) }
        return bench
    }

    private func taken(_ bench: inout DispatchBench) -> [String] {
        (bench.takeJobs(of: "w1/1").runs + bench.takeJobs(of: "w2/1").runs).map(\.jobID).sorted()
    }

    @Test("Limits apply across all workers, and delay neither other people nor other kinds")
    func limits() {
        var bench = bench()
        #expect(bench.reserve(1, kind: .other).isEmpty)
        let jobs = [("a0", "a"), ("a1", "a"), ("a2", "a"), ("b0", "b"), ("c0", "c")]
        bench.submit(jobs.map { .sample($0.0, userID: $0.1, kind: .other) })
        #expect(taken(&bench) == ["a0", "b0"])
        bench.submit([.sample("echo")])
        #expect(taken(&bench) == ["echo"])
        for (over, next) in [("a0", "c0"), ("b0", "a1"), ("c0", ""), ("a1", "a2")] {
            let holder = bench.holder(of: over) ?? ""
            bench.finish([JobRun(jobID: over, run: 1)], by: holder, free: 8, received: Int64.max)
            #expect(taken(&bench) == (next.isEmpty ? [] : [next]))
        }
        #expect(bench.state.ready.isEmpty)
    }

    @Test(
        "At most six artist lookups and four area lookups run for one person",
        arguments: [("concerts.lookup", 6), ("concerts.nearby", 4)])
    func lookups(kind name: String, most: Int) throws {
        let kind = KindVersion(kind: name, version: try #require(JobKind.named(name)).version)
        var bench = DispatchBench(kinds: JobKind.all)
        bench.hello("w1/1", kinds: [kind], credit: 64, capacity: 64)
        for person in ["a", "b"] {
            bench.submit(
                (0..<10).map {
                    .sample(
                        "\(person)\($0)", userID: SystemUser.id, kind: kind, priority: JobPriority.interactive,
                        onBehalfOf: person)
                })
        }
        let people = bench.takeJobs(of: "w1/1").runs.map { bench.table[$0.jobID]?.job.person ?? "" }
        #expect(people.count { $0 == "a" } == most && people.count { $0 == "b" } == most, "\(people)")
    }

    @Test("However a run ends, it stops counting toward the limit")
    func everyEnd() {
        var bench = bench(1)
        bench.holdsClaims = true
        bench.submit((0..<7).map { .sample("j\($0)", userID: "a", kind: .other) })
        // The claim fails.
        bench.table["j0"]?.isFinished = true
        bench.commitClaims()
        bench.holdsClaims = false
        bench.commitClaims()
        #expect(taken(&bench) == ["j1"])
        // The job is cancelled.
        bench.table["j1"]?.isFinished = true
        bench.carryOut(
            bench.state.cancelled(JobRun(jobID: "j1", run: 1), userID: "a", worker: "w1/1", now: bench.now))
        #expect(taken(&bench) == ["j2"])
        // The job's message was lost, and this job or another one is handed out.
        for _ in 0..<3 {
            bench.advance(by: .seconds(2))
            bench.beat("w1/1", naming: [], free: 8, received: Int64.max)
        }
        #expect(bench.state.limits.running["other.kind"]?.count == 1)
        // Its worker says goodbye.
        bench.say(.goodbye, from: "w1/1")
        #expect(bench.state.limits.running["other.kind"]?.isEmpty == true)
        // Its worker dies.
        bench.hello("w2/1", kinds: [.other], credit: 8)
        #expect(bench.state.limits.running["other.kind"]?.count == 1)
        bench.advance(by: .seconds(11))
        #expect(bench.state.limits.running["other.kind"]?.isEmpty == true)
    }

    @Test("Runs from before the gateway's start count until they end")
    func restart() {
        var bench = bench()
        bench.submit([("a", "a"), ("b", "b"), ("c", "c")].map { .sample($0.0, userID: $0.1, kind: .other) })
        #expect(taken(&bench) == ["a", "b"])
        bench.restartGateway()
        bench.hello("x/1", kinds: [.other], credit: 8)
        #expect(bench.takeJobs(of: "x/1").runs.isEmpty)
        // One of the workers does not come back; other kinds run meanwhile.
        let holder = bench.table["a"]?.worker ?? ""
        bench.hello(holder, kinds: [.other], credit: 8)
        bench.finish([JobRun(jobID: "a", run: 1)], by: holder, free: 0, received: 0)
        #expect(bench.takeJobs(of: "x/1").runs.map(\.jobID) == ["c"])
    }

    @Test("A kind at its limit blocks neither crash groups nor workers")
    func fullKindAndGroups() {
        var bench = bench(1)
        bench.submit([.sample("a0", userID: "a", kind: .other), .sample("a1", userID: "a", kind: .other)])
        #expect(taken(&bench) == ["a0"])
        bench.hello("w2/1", kinds: [.echo, .other], credit: 8)
        bench.submit([.sample("s0", group: "g"), .sample("s1", userID: "a", kind: .other, group: "g")])
        // The job of the kind at its limit waits.
        #expect(bench.takeJobs(of: "w2/1").runs.map(\.jobID) == ["s0"])
        #expect(bench.state.groups["g"]?.members.map(\.id) == ["s1"])
    }

    @Test("A running job that is read as waiting still counts when its second claim fails")
    func doubleClaim() {
        var bench = DispatchBench(kinds: [.ofTwo])
        bench.hello("w1/1", kinds: [.other], credit: 8)
        bench.submit([.sample("a", kind: .other)])
        // Two simultaneous polls read the same row.
        bench.read([.sample("a", kind: .other)])
        #expect(bench.takeJobs(of: "w1/1").runs.map(\.jobID) == ["a"])
        #expect(bench.state.limits.running["other.kind"] == ["a"])
        bench.submit([.sample("b", kind: .other), .sample("c", kind: .other)])
        #expect(bench.takeJobs(of: "w1/1").runs.map(\.jobID) == ["b"])
        bench.finish([JobRun(jobID: "a", run: 1)], by: "w1/1", free: 7, received: Int64.max)
        #expect(bench.takeJobs(of: "w1/1").runs.map(\.jobID) == ["c"])
    }

    @Test(
        "A job that is handed out again before its hand-back is reported counts once", arguments: ["w1", "w2"])
    func handedBack(next: String) {
        var bench = DispatchBench(kinds: [.ofTwo])
        bench.hello("w1/1", kinds: [.other], credit: 8)
        bench.submit([.sample("a", kind: .other)])
        let handed = bench.takeJobs(of: "w1/1")
        if next == "w2" {
            bench.beat("w1/1", naming: handed.runs, free: 0, received: handed.sequence)
            bench.hello("w2/1", kinds: [.other], credit: 8)
        }
        bench.table["a"]?.worker = nil
        var waiting = ReadyJob.sample("a", kind: .other)
        waiting.lastRun = 1
        bench.read([waiting])
        let again = bench.takeJobs(of: "\(next)/1").runs
        #expect(again == [JobRun(jobID: "a", run: 2)])
        bench.say(
            .done(
                ended: [EndedRun(run: JobRun(jobID: "a", run: 1), outcome: .handedBack)],
                credit: .init(free: 8, received: Int64.max)), from: "w1/1")
        #expect(bench.state.limits.running["other.kind"] == ["a"])
        bench.finish(again, by: "\(next)/1", free: 8, received: Int64.max)
        #expect(bench.state.limits.running["other.kind"]?.isEmpty == true)
    }
}
