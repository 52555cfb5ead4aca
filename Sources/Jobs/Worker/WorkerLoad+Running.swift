import Contracts
import Model

extension WorkerLoad {
    /// A job whose handler has begun.
    struct Running {
        var job: AssignedJob
        var startedAt: MonotonicInstant
        var deadline: MonotonicInstant
        /// `nil` until the start is known.
        var task: Task<Void, Never>?
        /// When all runs of the job together reach the time that its kind allows; `nil` without a limit.
        var finalDeadline: MonotonicInstant?
        /// Up to when its running time is counted in the job's row.
        var countedUntil: MonotonicInstant
        /// The number of the attempt, from 1.
        var attempt: Int
        /// Since when the run has waited for its checkpoint to be read or written, and how many of its tasks wait. That
        /// time does not count as running time.
        var waiting: (since: MonotonicInstant, count: Int)?
        /// Whether progress has cleared marks of earlier failures or crashes.
        var wasCleared = false

        init(job: AssignedJob, startedAt: MonotonicInstant, deadline: MonotonicInstant, task: Task<Void, Never>?) {
            self.job = job
            self.startedAt = startedAt
            self.deadline = deadline
            self.task = task
            countedUntil = startedAt
            attempt = job.attempt
        }

        /// Moves the run by a time that does not count as running time.
        mutating func move(by time: Duration) {
            deadline = deadline.advanced(by: time)
            finalDeadline = finalDeadline?.advanced(by: time)
            countedUntil = countedUntil.advanced(by: time)
        }

        /// Whether all runs of the job together have taken too long.
        func isOutOfTime(at now: MonotonicInstant) -> Bool { finalDeadline.map { $0 <= now } ?? false }

        /// Whether the run has taken too long.
        func isOverdue(at now: MonotonicInstant) -> Bool {
            waiting == nil && (deadline <= now || isOutOfTime(at: now))
        }

        /// The running time that is not yet counted in the job's row. It is zero while the run waits for a checkpoint,
        /// which writes the time.
        func uncounted(at now: MonotonicInstant) -> Duration {
            waiting == nil ? max(.zero, countedUntil.duration(to: now)) : .zero
        }
    }
}
