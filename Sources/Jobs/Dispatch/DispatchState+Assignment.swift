import Contracts
import Model

/// Decides which waiting job goes to which worker.
extension DispatchState {
    /// Assigns waiting jobs to free credit. Interactive jobs come first and may use every slot. The others follow:
    /// some slots are closed to them, and the rest are shared among people.
    mutating func assign(now: MonotonicInstant) -> [DispatchAction] {
        var claims = assignGroups()
        for isInteractive in [true, false] {
            while let run = assignBatch(isInteractive: isInteractive, now: now) { claims += run }
        }
        return claims.isEmpty ? [] : [.claim(claims)]
    }

    /// Assigns some jobs to the worker with the most room among those that may run any.
    ///
    /// - Returns: `nil` when no more jobs can be assigned.
    private mutating func assignBatch(isInteractive: Bool, now: MonotonicInstant) -> [DispatchAction.Claim]? {
        guard isInteractive ? !ready.interactive.isEmpty : !ready.background.isEmpty else { return nil }
        var looked: Set<String> = []
        while let instance = workerWithMostRoom(forInteractive: isInteractive, besides: looked) {
            let run = takeBatch(for: instance, isInteractive: isInteractive, now: now)
            if !run.isEmpty { return run }
            looked.insert(instance)
        }
        return nil
    }

    private func workerWithMostRoom(forInteractive isInteractive: Bool, besides looked: Set<String>) -> String? {
        var best: (instance: String, free: Int)?
        for (instance, worker) in workers where !looked.contains(instance) {
            let free = worker.free(forInteractive: isInteractive)
            if free > (best?.free ?? 0) { best = (instance, free) }
        }
        return best?.instance
    }

    /// Assigns jobs for a sixteenth of a worker's room. Neighbors that go to one worker are completed together and
    /// share the pages that a commit writes.
    private mutating func takeBatch(
        for instance: String, isInteractive: Bool, now: MonotonicInstant
    ) -> [DispatchAction.Claim] {
        // Removed for the moment, so that it is changed without a copy.
        guard var worker = workers.removeValue(forKey: instance) else { return [] }
        defer { workers[instance] = worker }
        let selected = ready.selection(isInteractive: isInteractive, of: worker.kinds, limits: limits)
        guard !selected.isEmpty else { return [] }
        let shares = shares(of: worker, instance: instance)
        let most = max(1, worker.free(forInteractive: isInteractive) / 16)
        var run: [DispatchAction.Claim] = []
        while run.count < most,
            let job = ready.removeNext(
                isInteractive: isInteractive, at: now, of: selected, limits: limits,
                use: { isInteractive ? .below : shares.use(by: $0, of: worker) })
        {
            readyRuns[job.id] = nil
            limits.begin(job)
            worker.reserve(1, for: job.person, isInteractive: isInteractive)
            worker.owesOtherWork = false
            run.append(.init(job: job, worker: instance))
        }
        return run
    }

    /// How many slots of a worker a person's new jobs may take without waiting in the queue first: none while a
    /// waiting job could take one of them.
    mutating func slotsForSubmission(
        for person: String, on worker: ConnectedWorker, instance: String, isInteractive: Bool
    ) -> Int {
        let free = worker.free(forInteractive: isInteractive)
        guard free > 0 else { return 0 }
        let shares = shares(of: worker, instance: instance)
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
        // Workers with one slot share their slots, which are assigned from the queue one by one.
        if others, worker.backgroundSlots == 1 { return 0 }
        return min(free, shares.room(for: person, on: worker, whileOthersWait: others))
    }
}
