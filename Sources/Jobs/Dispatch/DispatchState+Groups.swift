import Collections
import Contracts
import Model

/// Assigns crash groups: jobs that were lost together run together again, apart from other work.
extension DispatchState {
    /// Gives each group a worker of its own while there are idle ones, and empties workers for the remaining groups.
    ///
    /// The workers to empty are chosen again each time, so that none stays empty for a group that went elsewhere.
    mutating func assignGroups() -> [DispatchAction.Claim] {
        for instance in workers.keys where workers[instance]?.isolation == .emptying {
            workers[instance]?.isolation = .none
        }
        guard !groups.isEmpty else { return [] }
        let otherKinds = ready.kinds.filter { ready.hasJobs(of: $0, limits: limits) }
        var claims: [DispatchAction.Claim] = []
        for name in groups.keys {
            while let group = groups[name], mayRun(group) {
                guard let instance = workerForGroup(group, otherKinds: otherKinds) else {
                    if let instance = workerToEmpty(for: group, otherKinds: otherKinds) {
                        workers[instance]?.isolation = .emptying
                    }
                    break
                }
                let part = removePart(of: name, for: instance)
                guard !part.isEmpty else { break }
                claims += part.map { .init(job: $0, worker: instance) }
            }
            // No worker is left that could be used.
            if !workers.values.contains(where: { $0.isolation == .none && !$0.isDraining }) { break }
        }
        return claims
    }

    /// Groups whose members ran when the gateway also went down run one at a time. If two ran, the next such outage
    /// would not show which of them caused it.
    private func mayRun(_ group: CrashGroup) -> Bool {
        guard group.ranAtOutage else { return true }
        return !workers.values.contains { $0.runsGroupOfOutage }
            && !orphans.values.contains { $0.values.contains { $0.job.isSuspect && $0.job.ranAtOutage } }
    }

    /// The idle worker that can run the most members of the group, among those that may be reserved for it.
    private func workerForGroup(_ group: CrashGroup, otherKinds: Set<KindVersion>) -> String? {
        let capable = workers(for: group)
        var best: (instance: String, size: Int)?
        for instance in capable {
            guard let worker = workers[instance], worker.isIdle, worker.isolation == .none, worker.roomForPayloads > 0,
                mayTakeGroup(instance, of: capable, otherKinds: otherKinds)
            else { continue }
            let size = partSize(of: group, on: worker)
            if size > 0, size > (best?.size ?? 0) { best = (instance, size) }
        }
        return best?.instance
    }

    /// The worker to empty: the one with the fewest jobs below interactive priority, since it gets no more of these but
    /// may still get interactive jobs.
    private func workerToEmpty(for group: CrashGroup, otherKinds: Set<KindVersion>) -> String? {
        let capable = workers(for: group)
        func rank(_ instance: String) -> (Int, Int, String) {
            (workers[instance]?.backgroundLoad ?? 0, workers[instance]?.load ?? 0, instance)
        }
        return capable.filter { instance in
            workers[instance]?.isolation == ConnectedWorker.Isolation.none
                && mayTakeGroup(instance, of: capable, otherKinds: otherKinds)
        }.min { left, right in rank(left) < rank(right) }
    }

    /// The workers, by instance, that know the kind of at least one job of the group that the limits allow to run.
    private func workers(for group: CrashGroup) -> [String] {
        var kinds = Set(group.kinds.keys)
        if kinds.contains(where: limits.limits) {
            kinds = Set(group.members.lazy.filter { limits.allows($0) }.map(\.kind))
        }
        return workers.filter { !$0.value.isDraining && !$0.value.kinds.isDisjoint(with: kinds) }.map(\.key).sorted()
    }

    /// Whether a worker may be reserved for a group. Any worker may be while no other jobs of kinds that it knows are
    /// waiting. Otherwise up to half of the workers that could run the group may be, and a worker that is the only one
    /// for some of the other waiting jobs alternates between groups and those jobs.
    private func mayTakeGroup(_ instance: String, of capable: [String], otherKinds: Set<KindVersion>) -> Bool {
        guard let worker = workers[instance] else { return false }
        let others = otherKinds.filter(worker.kinds.contains)
        guard !others.isEmpty else { return true }
        let taken = capable.count { workers[$0]?.isolation != ConnectedWorker.Isolation.none }
        guard taken < max(1, capable.count / 2) else { return false }
        guard worker.owesOtherWork else { return true }
        return others.allSatisfy { kind in
            workers.contains {
                $0.key != instance && !$0.value.isDraining && $0.value.isolation == .none
                    && $0.value.kinds.contains(kind)
            }
        }
    }

    /// How many members a worker gets at once. A larger group is cut into parts of about the same size.
    private func partSize(of group: CrashGroup, on worker: ConnectedWorker) -> Int {
        let known = group.kinds.reduce(0) { $0 + (worker.kinds.contains($1.key) ? $1.value : 0) }
        let slots = min(worker.slotsForGroup, Int(worker.credit.free))
        guard known > slots, slots > 0 else { return min(known, slots) }
        let parts = (known + slots - 1) / slots
        return (known + parts - 1) / parts
    }

    /// Removes a part of a waiting group for an idle worker, which then gets nothing else. A part is a group by itself.
    private mutating func removePart(of name: String, for instance: String) -> [ReadyJob] {
        guard let worker = workers[instance], var group = groups[name] else { return [] }
        let afterOutage = group.ranAtOutage
        var part = group.removeFirst(partSize(of: group, on: worker)) { job in
            guard worker.kinds.contains(job.kind), limits.allows(job) else { return false }
            limits.begin(job)
            return true
        }
        guard !part.isEmpty else { return [] }
        var ownName = name
        if !group.isEmpty {
            parts += 1
            ownName = "\(name)/\(parts)"
            for index in part.indices { part[index].group = ownName }
        }
        groups[name] = group.isEmpty ? nil : group
        for job in part { readyRuns[job.id] = nil }
        workers[instance]?.isolation = .running(group: ownName, afterOutage: afterOutage)
        for job in part { workers[instance]?.reserve(1, for: job.person, isInteractive: job.isInteractive) }
        return part
    }
}
