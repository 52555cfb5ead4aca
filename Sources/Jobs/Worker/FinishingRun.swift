import Contracts
import Model

/// A run whose outcome is about to be written.
struct FinishingRun: Sendable {
    let job: AssignedJob
    /// The number of the attempt, from 1. Progress resets it to 1.
    let attempt: Int
    /// The running time that is not yet counted in the job's row.
    let ranFor: Duration
    let keepsState: Bool
    /// When it ended, by the wall clock on which the time of the next run is based.
    let endedAt = Timestamp.now()
    /// How many times in a row the process had too little memory to write the outcome.
    var memoryRefusals = 0

    init(_ running: WorkerLoad.Running, keepsState: Bool, now: MonotonicInstant) {
        job = running.job
        attempt = running.attempt
        ranFor = running.uncounted(at: now)
        self.keepsState = keepsState
    }

    /// A run that has not begun.
    init(unbegun job: AssignedJob) {
        self.job = job
        attempt = job.attempt
        ranFor = .zero
        keepsState = false
    }
}
