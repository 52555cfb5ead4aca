import Model
import Storage

/// The columns of a job that its worker needs.
package struct ClaimedJob: Sendable {
    package var run: JobRun
    package var userID: String
    /// The person for whom the job is, if that is not its owner.
    package var onBehalfOf: String?
    package var kind: String
    package var version: Int
    package var attempt: Int
    package var maximumAttempts: Int
    package var priority: Int
    package var payload: String
    package var trace: String?

    init(id: String, row: Row) throws {
        run = JobRun(jobID: id, run: try row["run"])
        userID = try row["user_id"]
        onBehalfOf = try row["on_behalf_of"]
        kind = try row["kind"]
        version = try row["version"]
        attempt = try row["attempt"]
        maximumAttempts = try row["maximum_attempts"]
        priority = try row["priority"]
        payload = try row["payload"]
        trace = try row["trace"]
    }
}

/// A cancelled job.
package struct CancelledJob: Sendable {
    package var run: JobRun
    /// The instance of the worker that was running the job; `nil` if none was.
    package var worker: String?
}
