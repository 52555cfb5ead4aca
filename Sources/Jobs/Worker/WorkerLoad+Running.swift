import Contracts
import Model

extension WorkerLoad {
    /// A job whose handler has begun.
    struct Running {
        var job: HandedJob
        var startedAt: MonotonicInstant
        var deadline: MonotonicInstant
        /// `nil` until the start is known.
        var task: Task<Void, Never>?
        /// When all runs of the job together will have taken what its kind allows.
        var finalDeadline: MonotonicInstant?
        /// Until when the job's row counts its running time.
        var countedUntil: MonotonicInstant
        /// The number of its attempt.
        var attempt: Int
        /// Since when it waits for the database to say or keep where it stands, and how many of its tasks do: that time
        /// is not the run's.
        var waiting: (since: MonotonicInstant, count: Int)?
        /// It was marked by earlier failures or crashes, until it made progress.
        var wasCleared = false

        init(job: HandedJob, startedAt: MonotonicInstant, deadline: MonotonicInstant, task: Task<Void, Never>?) {
            self.job = job
            self.startedAt = startedAt
            self.deadline = deadline
            self.task = task
            countedUntil = startedAt
            attempt = job.attempt
        }

        /// Whether all runs of the job have taken too long together.
        func isOutOfTime(at now: MonotonicInstant) -> Bool { finalDeadline.map { $0 <= now } ?? false }

        /// Whether it has gone on for too long.
        func isOverdue(at now: MonotonicInstant) -> Bool {
            waiting == nil && (deadline <= now || isOutOfTime(at: now))
        }

        /// Its running time, as far as the job's row does not count it yet. While it waits there is none: the time up
        /// to then is being written.
        func uncounted(at now: MonotonicInstant) -> Duration {
            waiting == nil ? max(.zero, countedUntil.duration(to: now)) : .zero
        }
    }
}
