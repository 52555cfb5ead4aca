import Contracts
import Model
import Testing

@testable import Jobs

@Suite("Worker deaths while the gateway is down")
struct OutageTests {
    /// Restarts the gateway and all workers within a short time.
    private func outage(
        _ fixture: inout DispatchFixture, life: Int, workers: [String], credit: Int32 = 4, isLongAgo: Bool = false
    ) {
        fixture.restartGateway(isLongAgo: isLongAgo)
        fixture.releases = []
        for worker in workers { fixture.hello("\(worker)/\(life)", credit: credit) }
    }

    private func holds(_ fixture: DispatchFixture, _ instance: String) -> [String] {
        fixture.state.workers[instance]?.held.keys.sorted() ?? []
    }

    @Test("The second outage within an hour makes a group of the jobs of both; after an hour it counts as the first")
    func secondOutage() {
        var fixture = DispatchFixture()
        fixture.hello("w/1", credit: 3)
        fixture.submit((0..<2).map { .sample("j\($0)") })
        outage(&fixture, life: 2, workers: ["w"])
        #expect(fixture.releases.count == 2)
        #expect(fixture.releases.allSatisfy { $0.group == nil && $0.isOutage })
        fixture.submit([.sample("new")])
        #expect(holds(fixture, "w/2") == ["j0", "j1", "new"])
        outage(&fixture, life: 3, workers: ["w"], isLongAgo: true)
        #expect(fixture.releases.count == 3)
        #expect(fixture.releases.allSatisfy { $0.group == nil && $0.isOutage })
        fixture.submit([.sample("newer")])
        #expect(holds(fixture, "w/3") == ["j0", "j1", "new", "newer"])
        outage(&fixture, life: 4, workers: ["w"])
        #expect(fixture.releases.map { $0.group ?? "" } == ["j0/3", "j0/3", "j0/3", ""])
        #expect(holds(fixture, "w/4") == ["j0", "j1", "new"])
        outage(&fixture, life: 5, workers: ["w"])
        #expect(Set(fixture.releases.map(\.group)) == ["j0/4", "new/3"])
        #expect(fixture.releases.allSatisfy { $0.weight == 0 })
    }

    @Test("Groups of outages run one at a time, and the death of a group's last job weighs a third")
    func oneAtATime() {
        var fixture = DispatchFixture()
        for worker in ["v/1", "w/1"] { fixture.hello(worker, credit: 1) }
        fixture.submit([.sample("a"), .sample("b")])
        for life in 2...3 { outage(&fixture, life: life, workers: ["v", "w"], credit: 1) }
        let held = fixture.state.workers.values.map(\.held.count).sorted()
        #expect(held == [0, 1])
        #expect(fixture.table.values.allSatisfy { $0.job.isSuspect && $0.job.crashes == 0 })
        var life = 3
        while fixture.table.values.allSatisfy({ !$0.isQuarantined }), life < 40 {
            life += 1
            let running = fixture.state.workers.values.flatMap { $0.held.keys }
            #expect(running.count == 1)
            // The job that is not to blame ends.
            if running == ["b"] {
                let run = JobRun(jobID: "b", run: fixture.table["b"]?.run ?? 0)
                fixture.finish([run], by: fixture.holder(of: "b") ?? "", free: 4, received: Int64.max)
            }
            fixture.advance(by: .seconds(1))
            outage(&fixture, life: life, workers: ["v", "w"], credit: 1)
            #expect(fixture.releases.allSatisfy { $0.weight == CrashScores.manyDeathsWeight })
        }
        #expect(fixture.table["a"]?.isQuarantined == true && fixture.table["b"]?.isQuarantined == false)
    }
}
