import Model

/// What checkpoints change of what a worker holds.
extension WorkerLoad {
    /// A run begins to wait for the database to say or keep where it stands. Until ``endWait(_:now:)`` no deadline ends
    /// it: what the database makes durable in the meantime may move the deadline, and the attempt with it.
    mutating func beginWait(_ run: JobRun, now: MonotonicInstant) {
        change(run) { $0.waiting = ($0.waiting?.since ?? now, ($0.waiting?.count ?? 0) + 1) }
    }

    /// The run waits no more: its deadlines are later by as long as it did, and what is counted of its time begins
    /// anew.
    mutating func endWait(_ run: JobRun, now: MonotonicInstant) {
        change(run) { running in
            guard let (since, count) = running.waiting else { return }
            guard count == 1 else {
                running.waiting = (since, count - 1)
                return
            }
            running.waiting = nil
            let time = since.duration(to: now)
            running.deadline = running.deadline.advanced(by: time)
            running.finalDeadline = running.finalDeadline?.advanced(by: time)
            running.countedUntil = running.countedUntil.advanced(by: time)
        }
    }

    /// A run kept where it stands, and still waits.
    ///
    /// - Parameters:
    ///   - moment: until when the job's row counts its running time now.
    ///   - deadline: the new one after progress, if it waited no longer; `nil` without.
    mutating func kept(
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

    /// Bounds a run by what its job's runs may take together.
    mutating func limit(_ run: JobRun, finalDeadline: MonotonicInstant) {
        change(run) { $0.finalDeadline = finalDeadline }
    }

    /// The runs that progress has cleared of marks, which the gateway may not have heard of.
    var cleared: [JobRun] { running.values.filter(\.wasCleared).map(\.job.run) }
}
