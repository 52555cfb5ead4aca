import Model
import Storage

/// The rows of `diagnostics.steps`, a job that shows whether long jobs survive faults.
extension JobStore {
    /// The number of a job's rows, of the distinct steps among them, and of the runs that wrote them.
    package func diagnosticSteps(ofJob id: String) throws -> (written: Int, distinct: Int, runs: Int) {
        let row = try transaction.row(
            """
            SELECT COUNT(*) AS written, COUNT(DISTINCT step) AS steps, COUNT(DISTINCT run) AS runs
            FROM diagnostic_steps WHERE job_id = \(id)
            """)
        return try row.map { (try $0["written"], try $0["steps"], try $0["runs"]) } ?? (0, 0, 0)
    }
}

extension JobStore where Access == WriteTransaction {
    package func insertDiagnosticStep(_ step: Int, of run: JobRun, now: Timestamp) throws {
        try transaction.run(
            """
            INSERT INTO diagnostic_steps (job_id, step, run, taken_at)
            VALUES (\(run.jobID), \(step), \(run.run), \(now))
            """)
    }

    package func deleteDiagnosticSteps(ofJob id: String) throws {
        try transaction.run("DELETE FROM diagnostic_steps WHERE job_id = \(id)")
    }
}
