/// Rules about the rows that domains write when a job ends: once, and not before the end.
extension Record {
    var brokenEnds: [Violation] {
        pending.map { Violation(.ends, $0) } + hastyRemovals + leftSteps + toldTwice + undoneEnds
    }

    /// The end of `diagnostics.steps` removes the rows of its steps.
    private var hastyRemovals: [Violation] {
        let changesByJob = changesByJob
        return marks.filter { $0.sort == .removed }.compactMap { removal in
            let state = changesByJob[removal.id]?.last { $0.place < removal.place }?.change.to ?? "not there"
            guard !Self.finished.contains(state) else { return nil }
            return Violation(.ends, "step \(removal.number) of \(name(removal.id)) was removed when that was \(state)")
        }
    }

    private var leftSteps: [Violation] {
        let balance = marks.reduce(into: [String: Int]()) { balance, mark in
            switch mark.sort {
            case .taken: balance[mark.id, default: 0] += 1
            case .removed: balance[mark.id, default: 0] -= 1
            default: break
            }
        }
        return balance.filter { $0.value != 0 }.keys.sorted().map { id in
            Violation(.ends, "\(balance[id] ?? 0) steps of \(name(id)) still exist after its end")
        }
    }

    private var toldTwice: [Violation] {
        var told: Set<String> = []
        return marks.filter { $0.sort == .told }.compactMap { mark in
            guard !told.insert("\(mark.id) \(mark.number)").inserted else { return nil }
            return Violation(.ends, "search \(mark.id) got the result of its artist \(mark.number) twice")
        }
    }

    /// Dead letters of kinds with an end that were requeued after the end was written, which cannot be undone. While
    /// the end is pending, a requeue drops it.
    private var undoneEnds: [Violation] {
        let forgotten = Set(marks.filter { $0.sort == .resolved }.map { "\($0.id) \($0.place)" })
        return changes.enumerated().compactMap { place, change in
            guard change.from == "failed", change.to == "queued", let job = jobs[change.jobID], !job.isEcho,
                !forgotten.contains("\(job.id) \(place)")
            else { return nil }
            return Violation(.ends, "\(name(job.id)) was requeued after its end had been written")
        }
    }
}
