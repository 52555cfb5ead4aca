import Contracts
import Model

/// A run whose end is about to be written.
struct EndingRun: Sendable {
    let job: HandedJob
    /// The number of its attempt: progress makes it the first.
    let attempt: Int
    /// Its running time, as far as the job's row does not count it yet.
    let ranFor: Duration
    let keepsState: Bool

    init(_ running: WorkerLoad.Running, keepsState: Bool, now: MonotonicInstant) {
        job = running.job
        attempt = running.attempt
        ranFor = running.uncounted(at: now)
        self.keepsState = keepsState
    }

    /// One that has not begun.
    init(unbegun job: HandedJob) {
        self.job = job
        attempt = job.attempt
        ranFor = .zero
        keepsState = false
    }
}
