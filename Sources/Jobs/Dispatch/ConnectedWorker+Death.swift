import Contracts
import Model

/// What can be concluded from a worker's death about the jobs that it held.
extension ConnectedWorker {
    /// The runs that may have begun before the worker died.
    ///
    /// - Parameter heartbeat: the interval of the worker's heartbeats.
    func begun(heartbeat: Duration) -> [JobRun] {
        held.lazy.filter { !wasSilent(before: $0.value, heartbeat: heartbeat) }
            .map { JobRun(jobID: $0.key, run: $0.value.run) }
    }

    /// The suspect that the worker ran alone; `nil` when it also held other jobs, or had been asked to stop a run that
    /// may have continued.
    func loneSuspect(heartbeat: Duration) -> String? {
        guard held.count == 1, stopping.isEmpty, let (id, only) = held.first, only.job.isSuspect,
            !wasSilent(before: only, heartbeat: heartbeat)
        else { return nil }
        return id
    }

    /// Whether the worker had missed a heartbeat when a run was handed to it, and sent nothing afterwards: then it was
    /// dead and the run never began. A worker that a job kills at once had sent a message within one interval before,
    /// or little more on a busy machine.
    private func wasSilent(before run: Assignment, heartbeat: Duration) -> Bool {
        lastHeard.duration(to: run.handedAt) >= heartbeat * 2
    }
}
