import Contracts
import Model

/// Which waiting job goes to which worker.
extension DispatchState {
    /// What a worker is to be given.
    private struct Match {
        var epoch: String
        var kind: KindVersion
        var isInteractive: Bool
        /// The most jobs of it in a row.
        var count: Int
    }

    /// Matches waiting jobs with free credit.
    mutating func assign(now: MonotonicInstant) -> [DispatchAction] {
        var claims = assignGroups()
        while let match = nextMatch(now: now), var queue = queues.removeValue(forKey: match.kind) {
            let fullUsers = limits.fullUsers(of: match.kind)
            var taken = 0
            while taken < match.count,
                let job = queue.removeNext(at: now, without: fullUsers, onlyInteractive: match.isInteractive)
            {
                taken += 1
                readyIDs.remove(job.id)
                limits.begin(job)
                claims.append(.init(job: job, worker: match.epoch))
            }
            if !queue.isEmpty { queues[match.kind] = queue }
            guard taken > 0 else { break }
            workers[match.epoch]?.reserve(taken, interactive: match.isInteractive ? taken : 0)
            workers[match.epoch]?.owesOtherWork = false
            serving += 1
            served[match.kind] = serving
        }
        return claims.isEmpty ? [] : [.claim(claims)]
    }

    /// Interactive jobs first, which may have every place; then the others, for which some places are closed.
    private func nextMatch(now: MonotonicInstant) -> Match? {
        guard !queues.isEmpty, workers.values.contains(where: { $0.free > 0 }) else { return nil }
        var waiting: [(kind: KindVersion, urgency: ReadyQueue.Urgency)] = []
        for (kind, queue) in queues where !limits.isFull(kind) {
            guard let urgency = queue.urgency(at: now, without: limits.fullUsers(of: kind)) else { continue }
            waiting.append((kind, urgency))
        }
        return match(of: waiting.filter(\.urgency.isInteractive), isInteractive: true)
            ?? match(of: waiting.filter { !$0.urgency.isInteractive }, isInteractive: false)
    }

    /// The worker with the most room for something that waits, the kind it should get, and how many jobs of that in
    /// a row: of a single kind as many as are a small part of its room, since neighbours that go to one worker are
    /// completed together and share the pages that a commit writes.
    private func match(
        of waiting: [(kind: KindVersion, urgency: ReadyQueue.Urgency)], isInteractive: Bool
    ) -> Match? {
        guard !waiting.isEmpty else { return nil }
        var best: (epoch: String, free: Int)?
        for (epoch, worker) in workers {
            let free = worker.free(forInteractive: isInteractive)
            guard free > (best?.free ?? 0), waiting.contains(where: { worker.kinds.contains($0.kind) }) else { continue }
            best = (epoch, free)
        }
        guard let best, let kinds = workers[best.epoch]?.kinds else { return nil }
        var choice: (kind: KindVersion, urgency: ReadyQueue.Urgency)?
        for next in waiting where kinds.contains(next.kind) {
            if let current = choice {
                let isLongerAgo = served[next.kind, default: 0] < served[current.kind, default: 0]
                guard next.urgency > current.urgency || (next.urgency == current.urgency && isLongerAgo) else {
                    continue
                }
            }
            choice = next
        }
        return choice.map { choice in
            // Each job of a kind with a limit changes what may be taken next.
            let isAlone = queues.count == 1 && !limits.limits(choice.kind)
            return Match(
                epoch: best.epoch, kind: choice.kind, isInteractive: isInteractive,
                count: isAlone ? max(1, best.free / 16) : 1)
        }
    }
}
