/// On whose behalf a task works; every line that it logs says so.
package struct LogContext: Sendable {
    /// A run of a job.
    package struct Job: Sendable {
        package var id: String
        package var kind: String
        package var attempt: Int
        /// Whose it is. Logs show a pseudonym.
        package var userID: String

        package init(id: String, kind: String, attempt: Int, userID: String) {
            self.id = id
            self.kind = kind
            self.attempt = attempt
            self.userID = userID
        }
    }

    /// Of the request that asked for the work (``TraceID``).
    package var trace: String?
    package var job: Job?

    package init(trace: String?, job: Job? = nil) {
        self.trace = trace
        self.job = job
    }

    @TaskLocal package static var current: LogContext?
}
