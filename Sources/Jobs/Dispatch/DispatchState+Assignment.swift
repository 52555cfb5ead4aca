import Contracts
import Model

/// Which waiting job goes to which worker.
extension DispatchState {
    /// Matches waiting jobs with free credit: interactive jobs first, which may have every place; then the others, for
    /// which some places are closed, and of which each person has a share.
    mutating func assign(now: MonotonicInstant) -> [DispatchAction] {
        var claims = assignGroups()
        for isInteractive in [true, false] {
            while let run = assignRun(isInteractive: isInteractive, now: now) { claims += run }
        }
        return claims.isEmpty ? [] : [.claim(claims)]
    }

    /// Gives some jobs in a row to the worker with the most room that may have any.
    ///
    /// - Returns: `nil` when nothing more can be handed out.
    private mutating func assignRun(isInteractive: Bool, now: MonotonicInstant) -> [DispatchAction.Claim]? {
        guard isInteractive ? !ready.interactive.isEmpty : !ready.background.isEmpty else { return nil }
        var looked: Set<String> = []
        while let epoch = workerWithMostRoom(forInteractive: isInteractive, besides: looked) {
            let run = takeRun(for: epoch, isInteractive: isInteractive, now: now)
            if !run.isEmpty { return run }
            looked.insert(epoch)
        }
        return nil
    }

    private func workerWithMostRoom(forInteractive isInteractive: Bool, besides looked: Set<String>) -> String? {
        var best: (epoch: String, free: Int)?
        for (epoch, worker) in workers where !looked.contains(epoch) {
            let free = worker.free(forInteractive: isInteractive)
            if free > (best?.free ?? 0) { best = (epoch, free) }
        }
        return best?.epoch
    }

    /// Takes as many jobs for a worker as are a small part of its room: neighbours that go to one worker are completed
    /// together and share the pages that a commit writes.
    private mutating func takeRun(
        for epoch: String, isInteractive: Bool, now: MonotonicInstant
    ) -> [DispatchAction.Claim] {
        // Taken out, so that it is changed in place.
        guard var worker = workers.removeValue(forKey: epoch) else { return [] }
        defer { workers[epoch] = worker }
        let selected = ready.selection(isInteractive: isInteractive, of: worker.kinds, limits: limits)
        guard !selected.isEmpty else { return [] }
        let shares = shares(of: worker, epoch: epoch)
        let most = max(1, worker.free(forInteractive: isInteractive) / 16)
        var run: [DispatchAction.Claim] = []
        while run.count < most,
            let job = ready.removeNext(
                isInteractive: isInteractive, at: now, of: selected, limits: limits,
                use: { isInteractive ? .below : shares.use(by: $0, of: worker) })
        {
            readyIDs.remove(job.id)
            limits.begin(job)
            worker.reserve(1, for: job.person, isInteractive: isInteractive)
            worker.owesOtherWork = false
            run.append(.init(job: job, worker: epoch))
        }
        return run
    }

    /// How many places a person's new jobs may have on a worker before they have waited: none while anything waits that
    /// could have one of them.
    mutating func roomAtOnce(
        for person: String, on worker: ConnectedWorker, epoch: String, isInteractive: Bool
    ) -> Int {
        let free = worker.free(forInteractive: isInteractive)
        guard free > 0 else { return 0 }
        let shares = shares(of: worker, epoch: epoch)
        var others = false
        if isInteractive ? !ready.interactive.isEmpty : !ready.background.isEmpty {
            let selected = ready.selection(isInteractive: isInteractive, of: worker.kinds, limits: limits)
            let next = ready.next(isInteractive: isInteractive, of: selected, limits: limits) {
                isInteractive ? .below : shares.use(by: $0, of: worker)
            }
            guard next.person == nil else { return 0 }
            others = next.passed.contains { ready.person($0, isInteractive: isInteractive) != person }
        }
        guard !isInteractive else { return free }
        // Places that count together are given out one by one.
        if others, worker.backgroundPlaces == 1 { return 0 }
        return min(free, shares.room(for: person, on: worker, whileOthersWait: others))
    }
}
