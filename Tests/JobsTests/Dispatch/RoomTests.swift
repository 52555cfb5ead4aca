import Contracts
import Model
import Testing

@testable import Jobs

@Suite("Places reserved for interactive jobs")
struct RoomTests {
    @Test("Jobs below interactive priority get three quarters of the places, and interactive jobs the rest")
    func threeQuarters() {
        var fixture = DispatchFixture()
        fixture.hello("w/1", credit: 16, capacity: 16)
        fixture.submit((0..<20).map { .sample("sync\($0)", userID: "u\($0)") })
        #expect(fixture.takeJobs(of: "w/1").runs.count == 12)
        #expect(fixture.reserve(1, kind: .echo).isEmpty)
        #expect(fixture.reserve(1, kind: .echo, isInteractive: true) == ["w/1"])
        fixture.submit((0..<5).map { .sample("screen\($0)", priority: 10) })
        #expect(fixture.takeJobs(of: "w/1").runs.map(\.jobID) == ["screen0", "screen1", "screen2"])
    }

    @Test("Interactive jobs may use every place, and running ones count as reserved places")
    func everyPlace() {
        var fixture = DispatchFixture()
        fixture.hello("w/1", credit: 4, capacity: 4)
        fixture.submit((0..<3).map { .sample("screen\($0)", priority: 10) })
        fixture.submit([.sample("a"), .sample("b")])
        let handed = fixture.takeJobs(of: "w/1")
        #expect(handed.runs.map(\.jobID) == ["screen0", "screen1", "screen2", "a"])
        // The interactive jobs end, and others take all their slots except the reserved one.
        fixture.submit([.sample("c", userID: "v"), .sample("d", userID: "w")])
        fixture.finish(Array(handed.runs.prefix(3)), by: "w/1", free: 3, received: handed.sequence)
        #expect(fixture.takeJobs(of: "w/1").runs.map(\.jobID) == ["c", "d"])
    }

    @Test(
        "One of a few places is reserved, and a single place serves all jobs",
        arguments: [(1, 1), (2, 1), (3, 2), (4, 3), (9, 6)])
    func fewPlaces(slots: Int, background: Int) {
        var fixture = DispatchFixture()
        fixture.hello("w/1", credit: Int32(slots), capacity: Int32(slots))
        fixture.submit((0..<20).map { .sample("sync\($0)", userID: "u\($0)") })
        #expect(fixture.takeJobs(of: "w/1").runs.count == background)
        #expect(JobPriority.backgroundSlots(of: slots) == background)
    }

    @Test("The prefetch is not reduced: a quarter of the places stays free, and no more")
    func prefetchIsNotReduced() {
        var fixture = DispatchFixture()
        fixture.hello("w/1", credit: 1_016, capacity: 16)
        fixture.submit((0..<2_000).map { .sample("j\($0)", userID: "u\($0 % 3)") })
        #expect(fixture.takeJobs(of: "w/1").runs.count == 1_012)
        #expect(fixture.reserve(9, kind: .echo, isInteractive: true).count == 4)
    }

    @Test("Interactive jobs are handed out first, and are inserted as claimed while only others of their kind wait")
    func interactiveFirst() {
        var fixture = DispatchFixture()
        fixture.hello("w/1", credit: 4, capacity: 4)
        fixture.submit((0..<9).map { .sample("sync\($0)") })
        _ = fixture.takeJobs(of: "w/1")
        #expect(fixture.reserve(1, kind: .echo, isInteractive: true) == ["w/1"])
        fixture.submit([.sample("screen", priority: 10)])
        // The one that is already waiting comes first.
        #expect(fixture.reserve(1, kind: .echo, isInteractive: true).isEmpty)
    }
}
