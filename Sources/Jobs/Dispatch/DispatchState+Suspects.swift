import Collections
import Contracts
import Model

/// Jobs that were there when a worker died run alone on their worker, so that the next death tells
/// whose fault it is.
extension DispatchState {
    /// Gives each suspect a worker to itself; up to half of the workers are kept for that.
    ///
    /// Which workers are emptied is chosen afresh each time, so that none stays empty for a job that
    /// found its place elsewhere.
    mutating func assignSuspects() -> [DispatchAction.Claim] {
        for epoch in workers.keys where workers[epoch]?.isolation == .emptying {
            workers[epoch]?.isolation = .none
        }
        guard !suspects.isEmpty else { return [] }
        var claims: [DispatchAction.Claim] = []
        var waiting: Deque<ReadyJob> = []
        /// Kinds for which nothing more can be done now.
        var settled: Set<KindVersion> = []
        while let job = suspects.popFirst() {
            guard !settled.contains(job.kind) else {
                waiting.append(job)
                continue
            }
            if let epoch = placeForSuspect(of: job.kind) {
                workers[epoch]?.isolation = .running(jobID: job.id)
                workers[epoch]?.reserve(1)
                readyIDs.remove(job.id)
                claims.append(.init(job: job, worker: epoch))
                continue
            }
            waiting.append(job)
            if let epoch = workerToEmpty(for: job.kind) {
                workers[epoch]?.isolation = .emptying
            } else {
                settled.insert(job.kind)
            }
        }
        suspects = waiting
        return claims
    }

    /// A worker that holds nothing and may run one alone.
    private func placeForSuspect(of kind: KindVersion) -> String? {
        let capable = workers.filter { $0.value.kinds.contains(kind) && !$0.value.isDraining }
        let running = capable.values.count { $0.isolation != .none && $0.isolation != .emptying }
        guard running < max(1, capable.count / 2) else { return nil }
        return capable.first { _, worker in
            worker.isIdle && worker.credit.free > 0 && (worker.isolation == .none || worker.isolation == .emptying)
                && isFreeForSuspects(worker)
        }?.key
    }

    /// The worker that will be free of company soonest.
    private func workerToEmpty(for kind: KindVersion) -> String? {
        let capable = workers.filter { $0.value.kinds.contains(kind) && !$0.value.isDraining }
        guard capable.values.count(where: { $0.isolation != .none }) < max(1, capable.count / 2) else { return nil }
        return capable.filter { $0.value.isolation == .none && isFreeForSuspects($0.value) }
            .min {
                ($0.value.held.count + $0.value.reserved, $0.key) < ($1.value.held.count + $1.value.reserved, $1.key)
            }?
            .key
    }

    /// With few workers many suspects would keep everything else waiting: the two take turns.
    private func isFreeForSuspects(_ worker: ConnectedWorker) -> Bool {
        !worker.owesTurn || !queues.keys.contains(where: worker.kinds.contains)
    }
}
