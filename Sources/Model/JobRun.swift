/// One hand-out of one job. Everything a worker says names it: a job alone could be an older run.
package struct JobRun: Sendable, Hashable {
    package var jobID: String
    package var run: Int64

    package init(jobID: String, run: Int64) {
        self.jobID = jobID
        self.run = run
    }
}
