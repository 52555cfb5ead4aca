import Contracts
import Model

/// Ends runs that a worker still holds although they have ended in the database.
extension DispatchState {
    /// Asks the worker of a job that was cancelled in the database to stop it.
    mutating func cancelled(
        _ run: JobRun, userID: String, worker instance: String?, now: MonotonicInstant
    ) -> [DispatchAction] {
        var actions: [DispatchAction] = [.changed([.init(id: run.jobID, userID: userID)])]
        if let instance { actions += revoke(run, from: instance) }
        return actions + assign(now: now)
    }

    /// Removes runs that a worker named although they have ended in the database: another process cancelled them, or
    /// the message about their end is late or lost.
    mutating func foundEnded(_ runs: [JobRun], now: MonotonicInstant) -> [DispatchAction] {
        var actions: [DispatchAction] = []
        var changed: [DispatchAction.JobChange] = []
        for run in runs {
            guard let (instance, worker) = workers.first(where: { $0.value.held[run.jobID]?.run == run.run }) else {
                continue
            }
            changed.append(.init(id: run.jobID, userID: worker.held[run.jobID]?.job.userID))
            actions += revoke(run, from: instance)
        }
        guard !changed.isEmpty else { return [] }
        return actions + [.changed(changed)] + assign(now: now)
    }

    private mutating func revoke(_ run: JobRun, from instance: String) -> [DispatchAction] {
        if let removed = workers[instance]?.remove(jobID: run.jobID) {
            limits.end(removed.job)
            workers[instance]?.stopping.insert(JobRun(jobID: run.jobID, run: removed.run))
            return [.send(.stop([run]), to: instance)]
        }
        // The worker has not said hello to this gateway yet. When its heartbeat names the run later, the gateway does
        // not know the run and answers with a stop.
        if let removed = orphans[instance]?.removeValue(forKey: run.jobID) {
            limits.end(removed.job)
            if orphans[instance]?.isEmpty == true { orphans[instance] = nil }
        }
        return []
    }
}
