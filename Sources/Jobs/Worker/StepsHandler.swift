import Contracts
import JobStorage
import Model
import Storage

/// The state of a `diagnostics.steps` job.
private struct StepsCheckpoint: CheckpointState {
    /// How many steps were taken, which is the number of the next step.
    var steps: Int

    var workDone: Int { steps }
}

extension JobHandler {
    /// `diagnostics.steps`: takes as many steps as its payload says, each with a row and a checkpoint, and counts the
    /// rows at the end. Operators use it to verify that long jobs survive faults.
    package static func diagnosticsSteps(_ database: Database) -> JobHandler {
        JobHandler(.diagnosticsSteps, keeping: StateRule<StepsCheckpoint>()) { payload, context in
            let run = context.job.run
            for step in min(context.state?.steps ?? 0, payload.steps)..<payload.steps {
                if let pause = payload.stepMs, pause > 0 { try await Task.sleep(for: .milliseconds(pause)) }
                try await context.checkpoint(StepsCheckpoint(steps: step + 1)) { transaction, _ in
                    try transaction.jobs.insertDiagnosticStep(step, of: run, now: .now())
                }
                context.report(JobProgress(done: step + 1, total: payload.steps))
            }
            let counts = try await database.read { try $0.jobs.diagnosticSteps(ofJob: run.jobID) }
            return JobResult(
                StepsResult(
                    steps: payload.steps, written: counts.written, distinct: counts.distinct, runs: counts.runs))
        }
    }
}
