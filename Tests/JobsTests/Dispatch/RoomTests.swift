import Contracts
import Model
import Testing

@testable import Jobs

extension JobKind {
    /// Two at once for everybody, one for each person.
    fileprivate static let limited = JobKind(
        name: "other.kind", version: 1, submitter: .user, maximumRunTime: .seconds(60), maximumRunning: 2,
        maximumRunningPerUser: 1)
}

@Suite("Places for people")
struct RoomTests {
    @Test("Jobs below interactive priority get three quarters of the places, and interactive ones all that are left")
    func threeQuarters() {
        var bench = DispatchBench()
        bench.hello("w/1", credit: 16, capacity: 16)
        bench.submit((0..<20).map { .sample("sync\($0)") })
        #expect(bench.takeJobs(of: "w/1").runs.count == 12)
        #expect(bench.reserve(1, kind: .echo).isEmpty)
        #expect(bench.reserve(1, kind: .echo, isInteractive: true) == ["w/1"])
        bench.submit((0..<5).map { .sample("screen\($0)", priority: 10) })
        #expect(bench.takeJobs(of: "w/1").runs.map(\.jobID) == ["screen0", "screen1", "screen2"])
    }

    @Test("Interactive jobs may have every place; those that run leave that much more to others")
    func everyPlace() {
        var bench = DispatchBench()
        bench.hello("w/1", credit: 4, capacity: 4)
        bench.submit((0..<3).map { .sample("screen\($0)", priority: 10) })
        bench.submit([.sample("a"), .sample("b")])
        let handed = bench.takeJobs(of: "w/1")
        #expect(handed.runs.map(\.jobID) == ["screen0", "screen1", "screen2", "a"])
        // The interactive ones end, and others take their places but for the one that is kept.
        bench.submit([.sample("c"), .sample("d")])
        bench.finish(Array(handed.runs.prefix(3)), by: "w/1", free: 3, received: handed.sequence)
        #expect(bench.takeJobs(of: "w/1").runs.map(\.jobID) == ["b", "c"])
    }

    @Test("Of few places one is kept, a single one serves all", arguments: [(1, 1), (2, 1), (3, 2), (4, 3), (9, 6)])
    func fewPlaces(places: Int, background: Int) {
        var bench = DispatchBench()
        bench.hello("w/1", credit: Int32(places), capacity: Int32(places))
        bench.submit((0..<20).map { .sample("sync\($0)") })
        #expect(bench.takeJobs(of: "w/1").runs.count == background)
        #expect(JobPriority.backgroundPlaces(of: places) == background)
    }

    @Test("What a worker asks for beyond its places is not cut: a quarter of the places stays free, no more")
    func prefetch() {
        var bench = DispatchBench()
        bench.hello("w/1", credit: 1_016, capacity: 16)
        bench.submit((0..<2_000).map { .sample("j\($0)") })
        #expect(bench.takeJobs(of: "w/1").runs.count == 1_012)
        #expect(bench.reserve(9, kind: .echo, isInteractive: true).count == 4)
    }

    @Test("An interactive job of a kind is handed out before all others, and at once where only others of it wait")
    func interactiveFirst() {
        var bench = DispatchBench()
        bench.hello("w/1", credit: 4, capacity: 4)
        bench.submit((0..<9).map { .sample("sync\($0)") })
        _ = bench.takeJobs(of: "w/1")
        #expect(bench.reserve(1, kind: .echo, isInteractive: true) == ["w/1"])
        bench.submit([.sample("screen", priority: 10)])
        // One waits already: it is first.
        #expect(bench.reserve(1, kind: .echo, isInteractive: true).isEmpty)
    }
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
        #expect(bench.state.queues.isEmpty)
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
}
