import Contracts
import Model
import Testing

@testable import Jobs

@Suite("Suspects that make progress")
struct ClearedRunTests {
    @Test("A suspect that reached a checkpoint no longer runs apart")
    func checkpointClearsASuspect() throws {
        var fixture = DispatchFixture()
        fixture.hello("w/1", credit: 3)
        fixture.submit([.sample("s", group: "g")])
        let handed = fixture.takeJobs(of: "w/1")
        let run = try #require(handed.runs.first)
        fixture.submit([.sample("a")])
        fixture.beat("w/1", naming: [run], free: 2, received: handed.sequence)
        #expect(fixture.takeJobs(of: "w/1").runs.isEmpty)
        // Another run of the job is not cleared.
        fixture.say(.cleared([JobRun(jobID: "s", run: run.run + 1)]), from: "w/1")
        #expect(fixture.takeJobs(of: "w/1").runs.isEmpty)
        fixture.say(.cleared([run]), from: "w/1")
        #expect(fixture.takeJobs(of: "w/1").runs.map(\.jobID) == ["a"])
        #expect(fixture.state.workers["w/1"]?.held["s"]?.job.isSuspect == false)
    }
}
