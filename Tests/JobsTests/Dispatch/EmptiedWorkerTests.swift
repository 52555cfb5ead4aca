import Contracts
import Model
import Testing

@testable import Jobs

@Suite("Workers that are emptied for crash groups")
struct EmptiedWorkerTests {
    @Test("The worker with the fewest jobs is emptied")
    func emptying() {
        var bench = DispatchBench()
        bench.hello("v/1", credit: 3)
        bench.submit([.sample("a"), .sample("b"), .sample("c")])
        let first = bench.takeJobs(of: "v/1")
        bench.hello("w/1", credit: 1)
        bench.submit([.sample("d")])
        let second = bench.takeJobs(of: "w/1")
        bench.submit([.sample("s0", group: "g"), .sample("s1", group: "g"), .sample("e"), .sample("f")])
        let emptied = bench.state.workers.filter { $0.value.isolation == .emptying }.map(\.key)
        #expect(emptied == ["w/1"])
        bench.finish([first.runs[0]], by: "v/1", free: 1, received: first.sequence)
        #expect(bench.takeJobs(of: "v/1").runs.map(\.jobID) == ["e"])
        bench.finish(second.runs, by: "w/1", free: 1, received: second.sequence)
        // The worker has one place, so the group is cut.
        #expect(bench.takeJobs(of: "w/1").runs.map(\.jobID) == ["s0"])
        #expect(bench.state.groups["g"]?.members.map(\.id) == ["s1"])
    }

    @Test("A worker that is being emptied of long jobs accepts only interactive jobs")
    func interactive() {
        var bench = DispatchBench()
        bench.hello("w/1", credit: 16, capacity: 16)
        // Eleven of its places are for the group, which is cut into two parts.
        bench.submit((0..<16).map { .sample("s\($0)", group: "g") })
        let long = bench.takeJobs(of: "w/1")
        #expect(long.runs.count == 8)
        bench.beat("w/1", naming: long.runs, free: 8, received: long.sequence)
        // The jobs run for hours, from checkpoint to checkpoint.
        bench.say(.cleared(long.runs), from: "w/1")
        var screens: [JobRun] = []
        for number in 0..<3 {
            bench.submit([.sample("screen\(number)", priority: 10)])
            screens += bench.takeJobs(of: "w/1").runs
        }
        #expect(screens.map(\.jobID) == ["screen0", "screen1", "screen2"])
        #expect(bench.state.workers["w/1"]?.isolation == ConnectedWorker.Isolation.emptying)
        #expect(bench.reserve(1, kind: .echo).isEmpty)
        #expect(bench.reserve(1, kind: .echo, isInteractive: true) == ["w/1"])
        bench.unreserve("w/1", isInteractive: true)
        bench.submit([.sample("later")])
        #expect(bench.takeJobs(of: "w/1").runs.isEmpty)
        // Once they have ended, the rest of the group runs.
        bench.finish(long.runs, by: "w/1", free: 13, received: Int64.max)
        bench.submit([.sample("screen3", priority: 10)])
        #expect(bench.takeJobs(of: "w/1").runs.isEmpty)
        #expect(bench.reserve(1, kind: .echo, isInteractive: true).isEmpty)
        bench.finish(screens, by: "w/1", free: 16, received: Int64.max)
        let rest = bench.takeJobs(of: "w/1").runs
        #expect(rest.map(\.jobID) == (8..<16).map { "s\($0)" })
        bench.finish(rest, by: "w/1", free: 16, received: Int64.max)
        #expect(bench.takeJobs(of: "w/1").runs.map(\.jobID) == ["screen3", "later"])
    }

    @Test("The worker to empty is chosen by its jobs below interactive priority only")
    func choice() {
        var bench = DispatchBench()
        bench.hello("v/1", credit: 4, capacity: 4)
        bench.submit([.sample("a"), .sample("b")])
        let busy = bench.takeJobs(of: "v/1")
        #expect(busy.runs.count == 2)
        bench.beat("v/1", naming: busy.runs, free: 0, received: busy.sequence)
        bench.hello("w/1", credit: 4, capacity: 4)
        bench.submit([.sample("c")])
        #expect(bench.takeJobs(of: "w/1").runs.map(\.jobID) == ["c"])
        bench.submit([.sample("s", group: "g")])
        for number in 0..<3 {
            #expect(bench.state.workers["w/1"]?.isolation == ConnectedWorker.Isolation.emptying)
            #expect(bench.state.workers["v/1"]?.isolation == ConnectedWorker.Isolation.none)
            bench.submit([.sample("screen\(number)", priority: 10)])
            #expect(bench.takeJobs(of: "w/1").runs.map(\.jobID) == ["screen\(number)"])
        }
    }
}
