import Contracts
import Model
import Testing

@testable import Jobs

@Suite("Suspects that make progress")
struct ClearedRunTests {
    @Test("A suspect that reached a checkpoint no longer runs apart")
    func cleared() throws {
        var bench = DispatchBench()
        bench.hello("w/1", credit: 3)
        bench.submit([.sample("s", group: "g")])
        let handed = bench.takeJobs(of: "w/1")
        let run = try #require(handed.runs.first)
        bench.submit([.sample("a")])
        bench.beat("w/1", naming: [run], free: 2, received: handed.sequence)
        #expect(bench.takeJobs(of: "w/1").runs.isEmpty)
        // Another run of the job is not cleared.
        bench.say(.cleared([JobRun(jobID: "s", run: run.run + 1)]), from: "w/1")
        #expect(bench.takeJobs(of: "w/1").runs.isEmpty)
        bench.say(.cleared([run]), from: "w/1")
        #expect(bench.takeJobs(of: "w/1").runs.map(\.jobID) == ["a"])
        #expect(bench.state.workers["w/1"]?.held["s"]?.job.isSuspect == false)
    }
}
