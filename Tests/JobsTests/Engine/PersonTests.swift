import Contracts
import Model
import TestSupport
import Testing

@testable import Jobs

@Suite("The person for whom a job is", .timeLimit(.minutes(5)))
struct PersonTests {
    /// Records the owner and the person of each run.
    private func telling(_ runs: Collector<String>) -> JobHandler {
        JobHandler(.test) { context in
            runs.append("\(context.job.userID) for \(context.person)")
            return JobResult("{}")
        }
    }

    private func job(for person: String?) -> NewJob {
        var job = NewJob(kind: .test, payload: "{}")
        job.onBehalfOf = person
        return job
    }

    @Test("A worker knows the person, whether the job was inserted as claimed, waited, or was read from the table")
    func workersKnowThePerson() async throws {
        try await Engine.run { engine in
            let runs = Collector<String>()
            // The jobs wait, and a gateway that starts reads the first one.
            _ = try await engine.queue.submit([job(for: "ada")], userID: SystemUser.id)
            try await engine.restartGateway()
            _ = try await engine.queue.submit([job(for: "bob"), job(for: nil)], userID: SystemUser.id)
            engine.startWorker("w1", handlers: [telling(runs)])
            #expect(Set(await runs.wait(for: 3)) == ["system for ada", "system for bob", "system for system"])
            // These are inserted as claimed, since a worker has free places.
            _ = try await engine.queue.submit([job(for: "eve")], userID: SystemUser.id)
            _ = try await engine.queue.submit([job(for: nil)], userID: "u")
            #expect(Set(await runs.wait(for: 5).suffix(2)) == ["system for eve", "u for u"])
        }
    }
}
