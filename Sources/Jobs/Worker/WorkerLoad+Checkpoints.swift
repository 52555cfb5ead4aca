import Model

/// How checkpoints change the runs that a worker holds.
extension WorkerLoad {
    /// Notes that a run waits for its checkpoint to be read or written. Until ``endWait(_:now:)`` no deadline ends the
    /// run, because the checkpoint may move the deadline and reset the attempt.
    mutating func beginWait(_ run: JobRun, now: MonotonicInstant) {
        change(run) { $0.waiting = ($0.waiting?.since ?? now, ($0.waiting?.count ?? 0) + 1) }
    }

    /// Ends a wait: the run's deadlines move by its duration, and the time does not count as running time.
    mutating func endWait(_ run: JobRun, now: MonotonicInstant) {
        change(run) { running in
            guard let (since, count) = running.waiting else { return }
            guard count == 1 else {
                running.waiting = (since, count - 1)
                return
            }
            running.waiting = nil
            running.move(by: since.duration(to: now))
        }
    }

    /// Notes a written checkpoint of a run, which still waits.
    ///
    /// - Parameters:
    ///   - moment: up to when the running time is now counted in the job's row.
    ///   - deadline: the new deadline after progress, not including the rest of the wait; `nil` without progress.
    mutating func recordCheckpoint(
        _ run: JobRun, countedUntil moment: MonotonicInstant, hasCleared: Bool, deadline: MonotonicInstant?
    ) {
        change(run) { running in
            running.countedUntil = max(running.countedUntil, moment)
            guard let deadline else { return }
            running.deadline = deadline
            running.attempt = 1
            running.wasCleared = running.wasCleared || hasCleared
        }
    }

    /// Sets the deadline for all runs of the job together.
    mutating func limit(_ run: JobRun, finalDeadline: MonotonicInstant) {
        change(run) { $0.finalDeadline = finalDeadline }
    }

    /// The runs whose progress has cleared marks of earlier failures or crashes. The gateway may not know yet.
    var cleared: [JobRun] { running.values.filter(\.wasCleared).map(\.job.run) }
}
