import Model

/// What checkpoints change of what a worker holds.
extension WorkerLoad {
    /// A run kept where it stands.
    ///
    /// - Parameters:
    ///   - moment: until when the job's row counts its running time now.
    ///   - deadline: the new one after progress; `nil` without.
    mutating func kept(
        _ run: JobRun, countedUntil moment: MonotonicInstant, hasCleared: Bool, deadline: MonotonicInstant?
    ) {
        change(run) { running in
            running.countedUntil = moment
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
