import Collections
import Contracts
import Model

/// The choice of the next job.
extension ReadyQueue {
    /// The person who comes next.
    struct Next {
        /// The person's number; `nil` when nobody may have a place.
        var person: Int?
        /// The people who could use the place but were passed over because they have their share.
        var passed: [Int] = []
    }

    /// A kind whose jobs may be handed out.
    struct EligibleKind {
        let number: Int
        /// Whether the number of its running jobs is limited.
        let isLimited: Bool
    }

    /// The kinds that a worker knows and that the limits allow to run.
    func selection(of known: Set<KindVersion>, limits: RunningLimits) -> [EligibleKind] {
        guard count > 0 else { return [] }
        var selected: [EligibleKind] = []
        for (number, kindQueue) in kindQueues.enumerated()
        where kindQueue.count > 0 && known.contains(kindQueue.kind) && !limits.isFull(kindQueue.kind) {
            selected.append(EligibleKind(number: number, isLimited: limits.limits(kindQueue.kind)))
        }
        return selected
    }

    /// The person who comes next: among those below their share, the one served longest ago. If nobody is below their
    /// share and a single person waits, it is that person, unless they have all the places that one person may have.
    ///
    /// - Parameter use: how much of the worker's places a person has, by the person's id.
    mutating func next(of selected: [EligibleKind], limits: RunningLimits, use: (String) -> ShareUse) -> Next {
        var next = Next()
        guard count > 0 else { return next }
        var lastUse = ShareUse.full
        // People who are passed over are removed for the moment. They are few: each has jobs on the worker.
        var taken: [(kindQueue: Int, entry: Entry)] = []
        defer { for (kindQueue, entry) in taken { kindQueues[kindQueue].entries.insert(entry) } }
        while let (kind, entry) = first(of: selected, limits: limits) {
            let id = people[entry.person].id
            let isLimited = kind.isLimited && limits.fullPeople(of: kindQueues[kind.number].kind).contains(id)
            if !isLimited {
                let use = use(id)
                if use == .below {
                    next.person = entry.person
                    return next
                }
                if !next.passed.contains(entry.person) {
                    next.passed.append(entry.person)
                    lastUse = use
                }
            }
            kindQueues[kind.number].entries.removeMin()
            taken.append((kind.number, entry))
        }
        if next.passed.count == 1, lastUse == .reached { next.person = next.passed[0] }
        return next
    }

    /// The lowest entry of some kinds.
    private mutating func first(
        of selected: [EligibleKind], limits: RunningLimits
    ) -> (kind: EligibleKind, entry: Entry)? {
        var first: (kind: EligibleKind, entry: Entry)?
        for kind in selected where !(kind.isLimited && limits.isFull(kindQueues[kind.number].kind)) {
            guard let entry = firstEntry(ofKind: kind.number), first.map({ entry < $0.entry }) ?? true else { continue }
            first = (kind, entry)
        }
        return first
    }

    /// The lowest valid entry of a kind, updated.
    private mutating func firstEntry(ofKind number: Int) -> Entry? {
        while let entry = kindQueues[number].entries.min {
            let position = people[entry.person].position
            guard let index = people[entry.person].kinds.firstIndex(where: { $0.number == number }),
                people[entry.person].kinds[index].entry == entry.position
            else {
                kindQueues[number].entries.removeMin()
                continue
            }
            guard position != entry.position else { return entry }
            people[entry.person].kinds[index].entry = position
            kindQueues[number].entries.replaceMin(with: Entry(position: position, person: entry.person))
        }
        return nil
    }

    /// Removes and returns the next person's most urgent job (``next(of:limits:use:)``).
    mutating func removeNext(
        at now: MonotonicInstant, of selected: [EligibleKind], limits: RunningLimits, use: (String) -> ShareUse
    ) -> ReadyJob? {
        guard let person = next(of: selected, limits: limits, use: use).person else { return nil }
        var best: (index: Int, urgency: WaitingJobs.Urgency)?
        for (index, kind) in people[person].kinds.enumerated() {
            guard isTakable(kind.number, of: people[person].id, in: selected, limits: limits),
                let urgency = kind.jobs.urgency(at: now, ageing: ageing), best.map({ $0.urgency < urgency }) ?? true
            else { continue }
            best = (index, urgency)
        }
        guard let best,
            var job = people[person].kinds[best.index].jobs.removeFirst(ofPriority: best.urgency.priority)
        else { return nil }
        job.position = people[person].position
        position += 1
        people[person].position = position
        recordRemoval(ofPerson: person, index: best.index)
        return job
    }

    private func isTakable(
        _ number: Int, of personID: String, in selected: [EligibleKind], limits: RunningLimits
    ) -> Bool {
        guard let kind = selected.first(where: { $0.number == number }) else { return false }
        guard kind.isLimited else { return true }
        let version = kindQueues[number].kind
        return !limits.isFull(version) && !limits.fullPeople(of: version).contains(personID)
    }
}
