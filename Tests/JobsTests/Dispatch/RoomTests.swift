import Contracts
import Model
import Testing

@testable import Jobs

@Suite("Places reserved for interactive jobs")
struct RoomTests {
    @Test("Jobs below interactive priority get three quarters of the places, and interactive jobs the rest")
    func threeQuarters() {
        var bench = DispatchBench()
        bench.hello("w/1", credit: 16, capacity: 16)
        bench.submit((0..<20).map { .sample("sync\($0)", userID: "u\($0)") })
        #expect(bench.takeJobs(of: "w/1").runs.count == 12)
        #expect(bench.reserve(1, kind: .echo).isEmpty)
        #expect(bench.reserve(1, kind: .echo, isInteractive: true) == ["w/1"])
        bench.submit((0..<5).map { .sample("screen\($0)", priority: 10) })
        #expect(bench.takeJobs(of: "w/1").runs.map(\.jobID) == ["screen0", "screen1", "screen2"])
    }

    @Test("Interactive jobs may use every place, and running ones count as reserved places")
    func everyPlace() {
        var bench = DispatchBench()
        bench.hello("w/1", credit: 4, capacity: 4)
        bench.submit((0..<3).map { .sample("screen\($0)", priority: 10) })
        bench.submit([.sample("a"), .sample("b")])
        let handed = bench.takeJobs(of: "w/1")
        #expect(handed.runs.map(\.jobID) == ["screen0", "screen1", "screen2", "a"])
        // The interactive jobs end, and others take all their places except the reserved one.
        bench.submit([.sample("c", userID: "v"), .sample("d", userID: "w")])
        bench.finish(Array(handed.runs.prefix(3)), by: "w/1", free: 3, received: handed.sequence)
        #expect(bench.takeJobs(of: "w/1").runs.map(\.jobID) == ["c", "d"])
    }

    @Test(
        "One of a few places is reserved, and a single place serves all jobs",
        arguments: [(1, 1), (2, 1), (3, 2), (4, 3), (9, 6)])
    func fewPlaces(places: Int, background: Int) {
        var bench = DispatchBench()
        bench.hello("w/1", credit: Int32(places), capacity: Int32(places))
        bench.submit((0..<20).map { .sample("sync\($0)", userID: "u\($0)") })
        #expect(bench.takeJobs(of: "w/1").runs.count == background)
        #expect(JobPriority.backgroundPlaces(of: places) == background)
    }

    @Test("The prefetch is not reduced: a quarter of the places stays free, and no more")
    func prefetch() {
        var bench = DispatchBench()
        bench.hello("w/1", credit: 1_016, capacity: 16)
        bench.submit((0..<2_000).map { .sample("j\($0)", userID: "u\($0 % 3)") })
        #expect(bench.takeJobs(of: "w/1").runs.count == 1_012)
        #expect(bench.reserve(9, kind: .echo, isInteractive: true).count == 4)
    }

    @Test("Interactive jobs are handed out first, and are inserted as claimed while only others of their kind wait")
    func interactiveFirst() {
        var bench = DispatchBench()
        bench.hello("w/1", credit: 4, capacity: 4)
        bench.submit((0..<9).map { .sample("sync\($0)") })
        _ = bench.takeJobs(of: "w/1")
        #expect(bench.reserve(1, kind: .echo, isInteractive: true) == ["w/1"])
        bench.submit([.sample("screen", priority: 10)])
        // The one that is already waiting comes first.
        #expect(bench.reserve(1, kind: .echo, isInteractive: true).isEmpty)
    }
}
