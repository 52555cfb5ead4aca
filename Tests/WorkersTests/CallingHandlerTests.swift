import Contracts
import Model
import TestSupport
import Testing
import Upstream

@testable import Jobs
@testable import Workers

@Suite("Handlers that make upstream calls")
struct CallingHandlerTests {
    @Test("A run makes its requests in the name of its job's person")
    func personOfTheRequests() async throws {
        let people = Collector<String>()
        let kind = TypedJobKind<JSONText, JSONText>(
            verbatim: JobKind(name: "test.kind", version: 1, submitter: .user, maximumRunTime: .seconds(60)))
        let handler = JobHandler.calling(kind) { payload, _ in
            people.append(UpstreamRequest(path: "/").person ?? "nobody")
            return JobResult(payload)
        }
        func run(ownedBy userID: String, for person: String?) async throws {
            let job = AssignedJob(
                run: JobRun(jobID: "j", run: 1), userID: userID, kind: "test.kind", version: 1, attempt: 1,
                maximumAttempts: 5, priority: 0, payload: "{}", person: person)
            _ = try await handler.run(JobContext(job: job) { _ in })
        }
        try await run(ownedBy: SystemUser.id, for: "ada")
        try await run(ownedBy: "bob", for: nil)
        #expect(people.elements == ["ada", "bob"])
    }
}
