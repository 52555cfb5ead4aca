import Contracts
import Model
import Testing

@testable import Jobs

@Suite("Workers that are emptied for crash groups")
struct EmptiedWorkerTests {
    @Test("The worker with the fewest jobs is emptied")
    func workerWithFewestJobs() {
        var fixture = DispatchFixture()
        fixture.hello("v/1", credit: 3)
        fixture.submit([.sample("a"), .sample("b"), .sample("c")])
        let first = fixture.takeJobs(of: "v/1")
        fixture.hello("w/1", credit: 1)
        fixture.submit([.sample("d")])
        let second = fixture.takeJobs(of: "w/1")
        fixture.submit([.sample("s0", group: "g"), .sample("s1", group: "g"), .sample("e"), .sample("f")])
        let emptied = fixture.state.workers.filter { $0.value.isolation == .emptying }.map(\.key)
        #expect(emptied == ["w/1"])
        fixture.finish([first.runs[0]], by: "v/1", free: 1, received: first.sequence)
        #expect(fixture.takeJobs(of: "v/1").runs.map(\.jobID) == ["e"])
        fixture.finish(second.runs, by: "w/1", free: 1, received: second.sequence)
        // The worker has one slot, so the group is cut.
        #expect(fixture.takeJobs(of: "w/1").runs.map(\.jobID) == ["s0"])
        #expect(fixture.state.groups["g"]?.members.map(\.id) == ["s1"])
    }

    @Test("A worker that is being emptied of long jobs accepts only interactive jobs")
    func onlyInteractiveJobs() {
        var fixture = DispatchFixture()
        fixture.hello("w/1", credit: 16, capacity: 16)
        // Eleven of its slots are for the group, which is cut into two parts.
        fixture.submit((0..<16).map { .sample("s\($0)", group: "g") })
        let long = fixture.takeJobs(of: "w/1")
        #expect(long.runs.count == 8)
        fixture.beat("w/1", naming: long.runs, free: 8, received: long.sequence)
        // The jobs run for hours, from checkpoint to checkpoint.
        fixture.say(.cleared(long.runs), from: "w/1")
        var screens: [JobRun] = []
        for number in 0..<3 {
            fixture.submit([.sample("screen\(number)", priority: 10)])
            screens += fixture.takeJobs(of: "w/1").runs
        }
        #expect(screens.map(\.jobID) == ["screen0", "screen1", "screen2"])
        #expect(fixture.state.workers["w/1"]?.isolation == ConnectedWorker.Isolation.emptying)
        #expect(fixture.reserve(1, kind: .echo).isEmpty)
        #expect(fixture.reserve(1, kind: .echo, isInteractive: true) == ["w/1"])
        fixture.unreserve("w/1", isInteractive: true)
        fixture.submit([.sample("later")])
        #expect(fixture.takeJobs(of: "w/1").runs.isEmpty)
        // Once they have ended, the rest of the group runs.
        fixture.finish(long.runs, by: "w/1", free: 13, received: Int64.max)
        fixture.submit([.sample("screen3", priority: 10)])
        #expect(fixture.takeJobs(of: "w/1").runs.isEmpty)
        #expect(fixture.reserve(1, kind: .echo, isInteractive: true).isEmpty)
        fixture.finish(screens, by: "w/1", free: 16, received: Int64.max)
        let rest = fixture.takeJobs(of: "w/1").runs
        #expect(rest.map(\.jobID) == (8..<16).map { "s\($0)" })
        fixture.finish(rest, by: "w/1", free: 16, received: Int64.max)
        #expect(fixture.takeJobs(of: "w/1").runs.map(\.jobID) == ["screen3", "later"])
    }

    @Test("The worker to empty is chosen by its jobs below interactive priority only")
    func choiceIgnoresInteractiveJobs() {
        var fixture = DispatchFixture()
        fixture.hello("v/1", credit: 4, capacity: 4)
        fixture.submit([.sample("a"), .sample("b")])
        let busy = fixture.takeJobs(of: "v/1")
        #expect(busy.runs.count == 2)
        fixture.beat("v/1", naming: busy.runs, free: 0, received: busy.sequence)
        fixture.hello("w/1", credit: 4, capacity: 4)
        fixture.submit([.sample("c")])
        #expect(fixture.takeJobs(of: "w/1").runs.map(\.jobID) == ["c"])
        fixture.submit([.sample("s", group: "g")])
        for number in 0..<3 {
            #expect(fixture.state.workers["w/1"]?.isolation == ConnectedWorker.Isolation.emptying)
            #expect(fixture.state.workers["v/1"]?.isolation == ConnectedWorker.Isolation.none)
            fixture.submit([.sample("screen\(number)", priority: 10)])
            #expect(fixture.takeJobs(of: "w/1").runs.map(\.jobID) == ["screen\(number)"])
        }
    }
}
