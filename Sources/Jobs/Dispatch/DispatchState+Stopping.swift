import Contracts
import Model

/// Runs that are over in the database while a worker still has them.
extension DispatchState {
    /// A job was cancelled in the database: its worker, if it has one, is told to stop.
    mutating func cancelled(
        _ run: JobRun, userID: String, worker epoch: String?, now: MonotonicInstant
    ) -> [DispatchAction] {
        var actions: [DispatchAction] = [.changed([.init(id: run.jobID, userID: userID)])]
        if let epoch { actions += takeAway(run, from: epoch) }
        return actions + assign(now: now)
    }

    /// Runs that their worker named turned out to be over: another process cancelled them, or the word of their end is
    /// under way or lost.
    mutating func foundEnded(_ runs: [JobRun], now: MonotonicInstant) -> [DispatchAction] {
        var actions: [DispatchAction] = []
        var changed: [DispatchAction.ChangedJob] = []
        for run in runs {
            guard let (epoch, worker) = workers.first(where: { $0.value.held[run.jobID]?.run == run.run }) else {
                continue
            }
            changed.append(.init(id: run.jobID, userID: worker.held[run.jobID]?.job.userID))
            actions += takeAway(run, from: epoch)
        }
        guard !changed.isEmpty else { return [] }
        return actions + [.changed(changed)] + assign(now: now)
    }

    private mutating func takeAway(_ run: JobRun, from epoch: String) -> [DispatchAction] {
        if let removed = workers[epoch]?.remove(jobID: run.jobID) {
            limits.end(removed.job)
            workers[epoch]?.stopping.insert(JobRun(jobID: run.jobID, run: removed.run))
            return [.send(.stop([run]), to: epoch)]
        }
        // Its worker has not said hello to this gateway yet. Then its heartbeat names what it does not hold, which is
        // answered with a stop.
        if let removed = orphans[epoch]?.removeValue(forKey: run.jobID) {
            limits.end(removed.job)
            if orphans[epoch]?.isEmpty == true { orphans[epoch] = nil }
        }
        return []
    }
}
