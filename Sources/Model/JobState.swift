/// The state of a job. `docs/jobs.md` shows the transitions.
package enum JobState: String, Sendable, CaseIterable, Codable {
    /// Waits for its time: submitted for later, or between two attempts.
    case scheduled
    /// Waits for a worker.
    case queued
    /// Handed to a worker.
    case running
    case succeeded
    /// A dead letter: stored with the error of every attempt, and can be requeued.
    case failed
    case cancelled

    package var isFinished: Bool {
        switch self {
        case .scheduled, .queued, .running: false
        case .succeeded, .failed, .cancelled: true
        }
    }
}
