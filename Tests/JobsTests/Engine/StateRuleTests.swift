import Contracts
import JobStorage
import Model
import TestSupport
import Testing

@testable import Jobs

private struct OtherState: CheckpointState {
    var workDone: Int
}

@Suite("Checkpoint states of other versions", .timeLimit(.minutes(5)))
struct StateRuleTests {
    /// Lets a job write the state 5 and be handed back; then another worker runs it.
    private func result(with next: JobHandler) async throws -> JobRecord? {
        var ended: JobRecord?
        try await Engine.run { engine in
            let reached = Collector<Void>()
            let first = engine.startWorker(
                "w1",
                handlers: [
                    JobHandler(.test, keeping: StateRule<Int>()) { context in
                        try await context.checkpoint(5)
                        reached.append(())
                        try await Task.sleep(for: .seconds(3_600))
                        return JobResult("{}")
                    }
                ])
            let id = try await engine.submit()[0]
            await reached.wait(for: 1)
            await engine.runtime(first)?.drain(grace: .zero)
            engine.startWorker("w2", handlers: [next])
            try await engine.untilCounts { $0[.succeeded] == 1 || $0[.failed] == 1 }
            ended = try await engine.job(id)
        }
        return ended
    }

    private func answering<State>(_ rule: StateRule<State>) -> JobHandler {
        JobHandler(.test, keeping: rule) { context in
            JobResult(context.state.map { "\"\($0)\"" } ?? "\"anew\"")
        }
    }

    @Test("The kind's rule handles a state that cannot be decoded")
    func undecodableState() async throws {
        #expect(try await result(with: answering(StateRule<Int>()))?.result == "\"5\"")
        // A state of the same version that cannot be decoded, then one of another version that could be.
        #expect(try await result(with: answering(StateRule<OtherState>()))?.result == "\"anew\"")
        #expect(try await result(with: answering(StateRule<Int>(version: 2)))?.result == "\"anew\"")
        let converting = StateRule<String>(version: 2) { "\($0.state) of \($0.version)" }
        #expect(try await result(with: answering(converting))?.result == "\"5 of 1\"")
        let failing = StateRule<String>(version: 2) { _ in
            throw JobFailure(code: "stateUnreadable", message: "No.", remedy: .none)
        }
        #expect(try await result(with: answering(failing))?.errorCode == "stateUnreadable")
    }
}
