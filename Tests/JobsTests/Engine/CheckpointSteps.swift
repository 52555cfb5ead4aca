import Contracts
import JobStorage
import Storage

@testable import Jobs

extension Int: CheckpointState {
    public var workDone: Int { self }
}

extension String: CheckpointState {
    public var workDone: Int { 0 }
}

extension Engine {
    /// Runs `body` with an engine and a table of steps, which jobs with checkpoints fill.
    static func runWithSteps(_ body: (Engine) async throws -> Void) async throws {
        try await run { engine in
            try await engine.database.write {
                try $0.run("CREATE TABLE steps (job_id TEXT NOT NULL, step BIGINT NOT NULL, run BIGINT NOT NULL)")
            }
            try await body(engine)
        }
    }

    /// Starts a worker for jobs with checkpoints; returns its instance.
    @discardableResult
    func startWorker<State: CheckpointState>(
        keeping: State.Type, run: @escaping @Sendable (LongJobContext<State>) async throws -> JobResult<String>
    ) -> String {
        startWorker("w1", handlers: [JobHandler(.test, keeping: StateRule<State>(), run: run)])
    }

    func steps() async throws -> [(step: Int, run: Int)] {
        try await database.read {
            try $0.rows("SELECT step, run FROM steps ORDER BY step").map { (try $0["step"], try $0["run"]) }
        }
    }

    /// The stored states.
    func checkpoints() async throws -> [String] {
        try await database.read { try $0.rows("SELECT state FROM job_checkpoints").map { try $0["state"] } }
    }
}
