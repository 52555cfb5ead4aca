/// One assignment of a job to a worker. Every message from a worker names the run, so that it cannot be confused with
/// an older run of the same job.
package struct JobRun: Sendable, Hashable {
    package var jobID: String
    package var run: Int64

    package init(jobID: String, run: Int64) {
        self.jobID = jobID
        self.run = run
    }
}

/// The owner of jobs that Backline creates for everybody, such as lookups and scheduled jobs.
package enum SystemUser {
    package static let id = "system"
}
