import Contracts
import Model
import Testing

@testable import Jobs

extension JobKind {
    /// Two at once for everybody, one for each person.
    fileprivate static let limited = JobKind(
        name: "other.kind", version: 1, submitter: .user, maximumRunTime: .seconds(60), maximumRunning: 2,
        maximumRunningPerUser: 1)

    /// Two at once, whoever they are for.
    fileprivate static let ofTwo = JobKind(
        name: "other.kind", version: 1, submitter: .user, maximumRunTime: .seconds(60), maximumRunning: 2)
}

@Suite("Kinds of which only some may run at once")
struct LimitTests {
    private func bench(_ workers: Int = 2) -> DispatchBench {
        var bench = DispatchBench(kinds: [.limited])
        for worker in 1...workers { bench.hello("w\(worker)/1", kinds: [.echo, .other], credit: 8) }
        return bench
    }

    private func taken(_ bench: inout DispatchBench) -> [String] {
        (bench.takeJobs(of: "w1/1").runs + bench.takeJobs(of: "w2/1").runs).map(\.jobID).sorted()
    }

    @Test("The limits hold over all workers, and keep neither other people nor other kinds waiting")
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

    @Test("However a run ends, its place is free again")
    func everyEnd() {
        var bench = bench(1)
        bench.holdsClaims = true
        bench.submit((0..<7).map { .sample("j\($0)", userID: "a", kind: .other) })
        // Its claim finds nothing.
        bench.table["j0"]?.isFinished = true
        bench.commitClaims()
        bench.holdsClaims = false
        bench.commitClaims()
        #expect(taken(&bench) == ["j1"])
        // It is cancelled.
        bench.table["j1"]?.isFinished = true
        bench.carryOut(
            bench.state.cancelled(JobRun(jobID: "j1", run: 1), userID: "a", worker: "w1/1", now: bench.now))
        #expect(taken(&bench) == ["j2"])
        // It was lost on its way, and is handed out anew or another is.
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

    @Test("What ran when the gateway started counts, until it is over")
    func restart() {
        var bench = bench()
        bench.submit([("a", "a"), ("b", "b"), ("c", "c")].map { .sample($0.0, userID: $0.1, kind: .other) })
        #expect(taken(&bench) == ["a", "b"])
        bench.restartGateway()
        bench.hello("x/1", kinds: [.other], credit: 8)
        #expect(bench.takeJobs(of: "x/1").runs.isEmpty)
        // One of its workers is gone for good; who is not of it may run meanwhile.
        let holder = bench.table["a"]?.worker ?? ""
        bench.hello(holder, kinds: [.other], credit: 8)
        bench.finish([JobRun(jobID: "a", run: 1)], by: holder, free: 0, received: 0)
        #expect(bench.takeJobs(of: "x/1").runs.map(\.jobID) == ["c"])
    }

    @Test("A full kind keeps no group and no worker waiting: what else waits counts only when it may run")
    func fullKindAndGroups() {
        var bench = bench(1)
        bench.submit([.sample("a0", userID: "a", kind: .other), .sample("a1", userID: "a", kind: .other)])
        #expect(taken(&bench) == ["a0"])
        bench.hello("w2/1", kinds: [.echo, .other], credit: 8)
        bench.submit([.sample("s0", group: "g"), .sample("s1", userID: "a", kind: .other, group: "g")])
        // The one of the full kind waits for its own sake.
        #expect(bench.takeJobs(of: "w2/1").runs.map(\.jobID) == ["s0"])
        #expect(bench.state.groups["g"]?.members.map(\.id) == ["s1"])
    }

    @Test("A job that is read as waiting although it runs keeps its place when its second claim finds nothing")
    func doubleClaim() {
        var bench = DispatchBench(kinds: [.ofTwo])
        bench.hello("w1/1", kinds: [.other], credit: 8)
        bench.submit([.sample("a", kind: .other)])
        // Two looks at the table at once see the same row.
        bench.carryOut(bench.state.enqueue([.sample("a", kind: .other)], now: bench.now))
        #expect(bench.takeJobs(of: "w1/1").runs.map(\.jobID) == ["a"])
        #expect(bench.state.limits.running["other.kind"] == ["a"])
        bench.submit([.sample("b", kind: .other), .sample("c", kind: .other)])
        #expect(bench.takeJobs(of: "w1/1").runs.map(\.jobID) == ["b"])
        bench.finish([JobRun(jobID: "a", run: 1)], by: "w1/1", free: 7, received: Int64.max)
        #expect(bench.takeJobs(of: "w1/1").runs.map(\.jobID) == ["c"])
    }

    @Test(
        "A job that was handed back and is handed out again before that is told counts once", arguments: ["w1", "w2"])
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
        bench.carryOut(bench.state.enqueue([.sample("a", kind: .other)], now: bench.now))
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
