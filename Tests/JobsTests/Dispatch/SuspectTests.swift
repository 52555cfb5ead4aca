import Contracts
import Model
import Testing

@testable import Jobs

@Suite("Jobs under suspicion")
struct SuspectTests {
    @Test("After a crash each of the dead worker's jobs runs alone, with no company before or during")
    func alone() {
        var bench = DispatchBench()
        bench.hello("w/1", credit: 3)
        bench.submit((0..<3).map { .sample("j\($0)") })
        _ = bench.takeJobs(of: "w/1")
        bench.hello("w/2", credit: 3)
        var order: [String] = []
        for _ in 0..<3 {
            let handed = bench.takeJobs(of: "w/2")
            #expect(handed.runs.count == 1)
            order += handed.runs.map(\.jobID)
            bench.beat("w/2", naming: handed.runs, free: 2, received: handed.sequence)
            #expect(bench.takeJobs(of: "w/2").runs.isEmpty)
            #expect(bench.reserve(1, kind: .echo) == [])
            bench.finish(handed.runs, by: "w/2", free: 3, received: handed.sequence)
        }
        #expect(order.sorted() == ["j0", "j1", "j2"])
        #expect(bench.state.workers["w/2"]?.isolation == ConnectedWorker.Isolation.none)
        #expect(bench.reserve(1, kind: .echo) == ["w/2"])
    }

    @Test("A busy worker is emptied first, and others go on meanwhile")
    func emptying() {
        var bench = DispatchBench()
        bench.hello("w/1", credit: 1)
        bench.hello("v/1", credit: 1)
        bench.submit([.sample("a"), .sample("b")])
        let (first, second) = (bench.takeJobs(of: "w/1"), bench.takeJobs(of: "v/1"))
        bench.submit([.sample("suspect", isSuspect: true), .sample("c"), .sample("d")])
        #expect(bench.takeJobs(of: "w/1").runs.isEmpty && bench.takeJobs(of: "v/1").runs.isEmpty)
        let emptied = bench.state.workers.filter { $0.value.isolation == .emptying }.map(\.key)
        #expect(emptied.count == 1)
        // The other worker goes on with its own work.
        let (other, handed) = emptied == ["w/1"] ? ("v/1", second) : ("w/1", first)
        bench.finish(handed.runs, by: other, free: 1, received: handed.sequence)
        let next = bench.takeJobs(of: "w/1").runs + bench.takeJobs(of: "v/1").runs
        #expect(next.count == 1)
    }

    @Test("A worker that dies with a suspect alone weighs against it; three times set it aside")
    func poison() {
        var bench = DispatchBench()
        bench.submit([.sample("poison", isSuspect: true)])
        for life in 1...3 {
            bench.hello("w/\(life)", credit: 4)
            #expect(bench.takeJobs(of: "w/\(life)").runs.count == 1)
            bench.submit([.sample("bystander\(life)")])
            bench.advance(by: .seconds(1))
        }
        bench.hello("w/4", credit: 0)
        #expect(bench.releases.map(\.run.jobID) == ["poison", "poison", "poison"])
        #expect(bench.releases.last?.job.crashes == 6)
        #expect(bench.releases.map(\.weight) == [3, 3, 3])
        #expect((bench.table["poison"]?.job.crashes ?? 0) >= CrashLedger.limit)
    }

    @Test("With one worker, suspects and others take turns")
    func turns() {
        var bench = DispatchBench()
        bench.hello("w/1", credit: 2)
        bench.submit((0..<4).map { .sample("s\($0)", isSuspect: true) })
        bench.submit((0..<8).map { .sample("j\($0)") })
        var turns: [[String]] = []
        for _ in 0..<8 {
            let handed = bench.takeJobs(of: "w/1")
            turns.append(handed.runs.map(\.jobID).sorted())
            // One after the other, with a word about each.
            for (index, run) in handed.runs.enumerated() {
                bench.finish(
                    [run], by: "w/1", free: Int32(2 - handed.runs.count + index + 1), received: handed.sequence)
            }
        }
        #expect(
            turns == [["s0"], ["j0", "j1"], ["s1"], ["j2", "j3"], ["s2"], ["j4", "j5"], ["s3"], ["j6", "j7"]])
    }

    @Test("A suspect that no worker knows keeps no worker from its work")
    func unknownKind() {
        var bench = DispatchBench()
        bench.hello("w/1", credit: 2)
        bench.hello("v/1", credit: 2)
        bench.submit([.sample("strange", kind: .other, isSuspect: true), .sample("s", isSuspect: true)])
        let first = bench.takeJobs(of: "w/1").runs + bench.takeJobs(of: "v/1").runs
        #expect(first.map(\.jobID) == ["s"])
        bench.submit((0..<4).map { .sample("j\($0)") })
        let second = bench.takeJobs(of: "w/1").runs.count + bench.takeJobs(of: "v/1").runs.count
        #expect(second == 2)
        let holder = bench.holder(of: "s") ?? ""
        bench.finish([JobRun(jobID: "s", run: 1)], by: holder, free: 2, received: Int64.max)
        #expect(bench.takeJobs(of: holder).runs.count == 2)
        #expect(bench.state.workers.values.allSatisfy { $0.isolation == .none })
        bench.hello("x/1", kinds: [.other], credit: 1)
        #expect(bench.takeJobs(of: "x/1").runs.map(\.jobID) == ["strange"])
        #expect(bench.state.suspects.isEmpty)
        #expect(bench.state.readyIDs.isEmpty)
    }

    @Test("A cancelled suspect gives its worker free")
    func cancelled() throws {
        var bench = DispatchBench()
        bench.hello("w/1", credit: 2)
        bench.submit([.sample("s", isSuspect: true)])
        let run = try #require(bench.takeJobs(of: "w/1").runs.first)
        bench.table["s"]?.isFinished = true
        bench.carryOut(bench.state.cancelled(run, userID: "u", worker: "w/1", now: bench.now))
        #expect(bench.takeStops(of: "w/1") == [run])
        #expect(bench.state.workers["w/1"]?.isolation == ConnectedWorker.Isolation.none)
    }

    @Test("A suspect whose claim finds nothing gives its worker free")
    func missing() {
        var bench = DispatchBench()
        bench.hello("w/1", credit: 2)
        bench.holdsClaims = true
        bench.submit([.sample("s", isSuspect: true)])
        bench.table["s"]?.isFinished = true
        bench.commitClaims()
        #expect(bench.state.workers["w/1"]?.isolation == ConnectedWorker.Isolation.none)
        #expect(bench.state.workers["w/1"]?.reserved == 0)
    }
}
