import Contracts
import Model

/// What the death of a worker says of what it held.
extension ConnectedWorker {
    /// The runs that may have begun when it died.
    ///
    /// - Parameter heartbeat: how often it speaks while it lives.
    func begun(heartbeat: Duration) -> [JobRun] {
        held.lazy.filter { !wasSilent(before: $0.value, heartbeat: heartbeat) }
            .map { JobRun(jobID: $0.key, run: $0.value.run) }
    }

    /// The job that it ran alone, if that was under suspicion before; `nil` when it ran anything else beside it, or had
    /// been told to stop something and may not have done so.
    func loneSuspect(heartbeat: Duration) -> String? {
        guard held.count == 1, stopping.isEmpty, let (id, only) = held.first, only.job.isSuspect,
            !wasSilent(before: only, heartbeat: heartbeat)
        else { return nil }
        return id
    }

    /// Whether it had missed a heartbeat when a run was handed to it, and has said nothing since: it was dead, and the
    /// run never began. A job that kills its worker at once was handed to one that had spoken less than an interval
    /// before, or on a busy machine little more.
    private func wasSilent(before run: Held, heartbeat: Duration) -> Bool {
        lastHeard.duration(to: run.handedAt) >= heartbeat * 2
    }
}
