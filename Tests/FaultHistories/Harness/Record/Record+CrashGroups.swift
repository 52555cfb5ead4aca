/// Rules about crash groups: jobs that died together run together again, apart from others, and each death halves them.
extension Record {
    var brokenGroups: [Violation] { mixedWorkers + deaths.flatMap(brokenHalves) + strayMembers }

    // MARK: Apart

    /// Jobs that were handed to a worker that ran jobs outside their group. A part of a group has the
    /// group's name in the table.
    private var mixedWorkers: [Violation] {
        let handOuts = handOuts
        return handOuts.compactMap { new in
            guard !mayHaveBeenGivenUp(new.worker, at: new.begin.at) else { return nil }
            let other = handOuts.first { other in
                other.worker == new.worker && other.jobID != new.jobID && other.isRunning(at: new.begin.place)
                    && other.group != new.group
                    && !(new.group == nil && isCleared(other, at: new.begin.place))
            }
            return other.map { other in
                Violation(
                    .groups,
                    "\(name(new.jobID)) of \(Self.group(new.group)) was handed to \(new.worker) beside "
                        + "\(name(other.jobID)) of \(Self.group(other.group))")
            }
        }
    }

    private static func group(_ name: String?) -> String { name.map { "the group \($0)" } ?? "no group" }

    /// Whether a worker may have been considered dead and have come back: the gateway no longer knows about the jobs
    /// that were on their way to it. A worker that was killed returns with another instance.
    private func mayHaveBeenGivenUp(_ worker: String, at: Int) -> Bool {
        let last = interruptions.last { $0.worker == worker.prefix { $0 != "/" } && $0.at <= at }
        return last.map { $0.sort != .killed } ?? false
    }

    /// Whether a run had reached a checkpoint by then: it is no longer a suspect, and the worker may get other work.
    private func isCleared(_ handOut: HandOut, at place: Int) -> Bool {
        marks.contains { mark in
            mark.sort == .taken && mark.id == handOut.jobID && mark.run == handOut.run && mark.place <= place
        }
    }

    // MARK: Halved

    /// The runs that were lost with one worker, which one transaction writes.
    private struct Death {
        var worker: String
        var places: Range<Int>
    }

    private var deaths: [Death] {
        var deaths: [Death] = []
        for (place, change) in changes.enumerated() where change.isDeath {
            guard let worker = change.oldWorker else { continue }
            if let last = deaths.last, last.worker == worker, last.places.upperBound == place {
                deaths[deaths.count - 1].places = last.places.lowerBound..<(place + 1)
            } else {
                deaths.append(Death(worker: worker, places: place..<(place + 1)))
            }
        }
        return deaths
    }

    private func brokenHalves(_ death: Death) -> [Violation] {
        let released = changes[death.places]
        var violations = released.filter { $0.isOutage && !$0.hadOutage && $0.group != $0.oldGroup }.map {
            Violation(.groups, "\(name($0.jobID)) is under suspicion after a first death with the gateway's")
        }
        let moved = released.filter { $0.group != nil && $0.group != $0.oldGroup }
        let runs = handOuts.filter { $0.worker == death.worker && $0.begin.place < death.places.lowerBound }
        let held = countedAsHeld(runs, at: death)
        let sizes = Dictionary(grouping: moved) { $0.group ?? "" }.mapValues(\.count)
        if sizes.count > 2 {
            violations.append(.init(.groups, "the death of \(death.worker) made \(sizes.count) groups"))
        }
        // The jobs were already a group, or the gateway had not yet received that they were cleared.
        let isHalved = sizes.count > 1 || moved.contains { $0.oldGroup != nil }
        for (group, size) in sizes.sorted(by: { $0.key < $1.key }) {
            if isHalved, size > (held + 1) / 2 {
                violations.append(.init(.groups, "\(size) of \(held) jobs of \(death.worker) are the group \(group)"))
            }
            // The group is named after one of them.
            if !runs.contains(where: { "\($0.jobID)/\($0.run)" == group }) {
                violations.append(
                    .init(.groups, "jobs that died with \(death.worker) are of the group \(group) of another death"))
            }
        }
        return violations
    }

    /// How many runs of a group the gateway may have attributed to a dying worker: all that ran at any time since the
    /// first of the lost ones was handed out, because messages about their ends may not have arrived.
    private func countedAsHeld(_ runs: [HandOut], at death: Death) -> Int {
        let died = runs.filter { $0.end.map { death.places.contains($0.place) } ?? false }
        let first = died.map(\.begin.place).min() ?? 0
        return runs.count { ($0.end?.place ?? .max) > first }
    }

    /// Jobs that entered a group without a death.
    private var strayMembers: [Violation] {
        changes.filter { !$0.isDeath && $0.group != nil && $0.group != $0.oldGroup }.map { change in
            Violation(
                .groups, "\(name(change.jobID)) came into the group \(change.group ?? "") as it became \(change.to)")
        }
    }
}
