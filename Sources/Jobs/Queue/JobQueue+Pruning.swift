import Contracts
import Model
import Storage

extension JobQueue {
    /// The most jobs deleted in one transaction, so that nobody waits for it.
    private static let pruneBatch = 500

    /// Deletes jobs that ended long enough ago, until there are none or the task is cancelled.
    ///
    /// - Parameters:
    ///   - retention: how long a job is kept whose kind says nothing else.
    ///   - time: what is taken for now.
    ///   - kinds: those that there are.
    package func prune(retention: Duration, at time: PruningTime, kinds: [JobKind] = JobKind.all) async throws {
        let exceptions = kinds.compactMap { kind in kind.retention.map { (kind: kind.name, retention: $0) } }
        let exempt = exceptions.map { $0.kind }
        try await repeatWhileFull {
            try await database.write {
                try $0.jobs.pruneJobs(
                    finishedBefore: time.before(retention), exempt: exempt, limit: Self.pruneBatch)
            }
        }
        guard !exceptions.isEmpty else { return }
        let counts = try await database.read { try $0.jobs.jobCountsByKind() }
        for (kind, retention) in exceptions {
            let hasEnded = counts[kind]?.contains { $0.key.isFinished && $0.value > 0 } == true
            guard hasEnded else { continue }
            let cutoff = time.before(retention)
            try await repeatWhileFull {
                // Found outside the write lock: a kind whose time is short stands among many that are kept for longer.
                let ids = try await database.read {
                    try $0.jobs.jobs(ofKind: kind, finishedBefore: cutoff.moment, limit: Self.pruneBatch)
                }
                guard !ids.isEmpty else { return 0 }
                return try await database.write { try $0.jobs.pruneJobs(ids, finishedBefore: cutoff) }
            }
        }
    }

    private func repeatWhileFull(_ prune: () async throws -> Int) async throws {
        while try await prune() == Self.pruneBatch, !Task.isCancelled {}
    }
}
