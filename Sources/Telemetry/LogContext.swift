/// The request and job for which a task works, for its log lines.
package struct LogContext: Sendable {
    /// A run of a job.
    package struct Job: Sendable {
        package var id: String
        package var kind: String
        package var attempt: Int
        /// The job's owner. Logs show a pseudonym.
        package var userID: String

        package init(id: String, kind: String, attempt: Int, userID: String) {
            self.id = id
            self.kind = kind
            self.attempt = attempt
            self.userID = userID
        }
    }

    /// The trace of the request that caused the work (``TraceID``).
    package var trace: String?
    package var job: Job?

    package init(trace: String?, job: Job? = nil) {
        self.trace = trace
        self.job = job
    }

    @TaskLocal package static var current: LogContext?
}
