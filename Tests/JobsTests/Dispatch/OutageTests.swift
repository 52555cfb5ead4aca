import Contracts
import Model
import Testing

@testable import Jobs

@Suite("Worker deaths while the gateway is down")
struct OutageTests {
    /// Restarts the gateway and all workers within a short time.
    private func outage(
        _ bench: inout DispatchBench, life: Int, workers: [String], credit: Int32 = 4, isLongAgo: Bool = false
    ) {
        bench.restartGateway(isLongAgo: isLongAgo)
        bench.releases = []
        for worker in workers { bench.hello("\(worker)/\(life)", credit: credit) }
    }

    private func holds(_ bench: DispatchBench, _ epoch: String) -> [String] {
        bench.state.workers[epoch]?.held.keys.sorted() ?? []
    }

    @Test("The second outage within an hour makes a group of the jobs of both; after an hour it counts as the first")
    func twice() {
        var bench = DispatchBench()
        bench.hello("w/1", credit: 3)
        bench.submit((0..<2).map { .sample("j\($0)") })
        outage(&bench, life: 2, workers: ["w"])
        #expect(bench.releases.count == 2)
        #expect(bench.releases.allSatisfy { $0.group == nil && $0.isOutage })
        bench.submit([.sample("new")])
        #expect(holds(bench, "w/2") == ["j0", "j1", "new"])
        outage(&bench, life: 3, workers: ["w"], isLongAgo: true)
        #expect(bench.releases.count == 3)
        #expect(bench.releases.allSatisfy { $0.group == nil && $0.isOutage })
        bench.submit([.sample("newer")])
        #expect(holds(bench, "w/3") == ["j0", "j1", "new", "newer"])
        outage(&bench, life: 4, workers: ["w"])
        #expect(bench.releases.map { $0.group ?? "" } == ["j0/3", "j0/3", "j0/3", ""])
        #expect(holds(bench, "w/4") == ["j0", "j1", "new"])
        outage(&bench, life: 5, workers: ["w"])
        #expect(Set(bench.releases.map(\.group)) == ["j0/4", "new/3"])
        #expect(bench.releases.allSatisfy { $0.weight == 0 })
    }

    @Test("Groups of outages run one at a time, and the death of a group's last job weighs a third")
    func oneAtATime() {
        var bench = DispatchBench()
        for worker in ["v/1", "w/1"] { bench.hello(worker, credit: 1) }
        bench.submit([.sample("a"), .sample("b")])
        for life in 2...3 { outage(&bench, life: life, workers: ["v", "w"], credit: 1) }
        let held = bench.state.workers.values.map(\.held.count).sorted()
        #expect(held == [0, 1])
        #expect(bench.table.values.allSatisfy { $0.job.isSuspect && $0.job.crashes == 0 })
        var life = 3
        while bench.table.values.allSatisfy({ !$0.isSetAside }), life < 40 {
            life += 1
            let running = bench.state.workers.values.flatMap { $0.held.keys }
            #expect(running.count == 1)
            // The job that is not to blame ends.
            if running == ["b"] {
                let run = JobRun(jobID: "b", run: bench.table["b"]?.run ?? 0)
                bench.finish([run], by: bench.holder(of: "b") ?? "", free: 4, received: Int64.max)
            }
            bench.advance(by: .seconds(1))
            outage(&bench, life: life, workers: ["v", "w"], credit: 1)
            #expect(bench.releases.allSatisfy { $0.weight == CrashLedger.manyDeathsWeight })
        }
        #expect(bench.table["a"]?.isSetAside == true && bench.table["b"]?.isSetAside == false)
    }
}
