/// One hand-out of a job to a worker. Every message of a worker names it, so that an older run of the same job is told
/// apart.
package struct JobRun: Sendable, Hashable {
    package var jobID: String
    package var run: Int64

    package init(jobID: String, run: Int64) {
        self.jobID = jobID
        self.run = run
    }
}

/// The owner of jobs that Backline makes for everybody, such as lookups and scheduled jobs.
package enum SystemUser {
    package static let id = "system"
}
