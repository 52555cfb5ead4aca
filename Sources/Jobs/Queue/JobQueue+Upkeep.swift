import Contracts
import JobStorage
import Model
import Storage

/// The queue's periodic work.
extension JobQueue {
    /// The most jobs deleted in one transaction, so that other writes wait only briefly.
    private static let pruneBatch = 500

    /// Deletes jobs whose retention is over, until there are none or the task is cancelled.
    ///
    /// - Parameters:
    ///   - retention: how long jobs are kept if their kind sets no time of its own.
    ///   - time: the trusted present time.
    package func prune(retention: Duration, at time: PruningTime) async throws {
        let exceptions = kinds.all.compactMap { kind in kind.retention.map { (kind: kind.name, retention: $0) } }
        let exempt = exceptions.map { $0.kind }
        try await repeatWhileFull {
            try await database.write {
                try $0.jobs.pruneJobs(
                    finishedBefore: time.before(retention), exempt: exempt, limit: Self.pruneBatch)
            }
        }
        try await repeatWhileFull {
            try await database.write {
                try $0.jobs.pruneFutureJobs(finishedBefore: time.before(retention), now: time, limit: Self.pruneBatch)
            }
        }
        guard !exceptions.isEmpty else { return }
        let counts = try await database.read { try $0.jobs.jobCountsByKind() }
        for (kind, retention) in exceptions {
            let hasEnded = counts[kind]?.contains { $0.key.isFinished && $0.value > 0 } == true
            guard hasEnded else { continue }
            let cutoff = time.before(retention)
            try await repeatWhileFull {
                // Read outside the write lock: jobs of a kind with a short retention are scattered among many that are
                // kept longer.
                let ids = try await database.read {
                    try $0.jobs.jobs(ofKind: kind, finishedBefore: cutoff.moment, limit: Self.pruneBatch)
                }
                guard !ids.isEmpty else { return 0 }
                return try await database.write { try $0.jobs.pruneJobs(ids, finishedBefore: cutoff) }
            }
        }
    }

    private func repeatWhileFull(_ prune: () async throws -> Int) async throws {
        while try await prune() >= Self.pruneBatch, !Task.isCancelled {}
    }

    /// The most ends that one transaction retries, so that other writes wait only briefly.
    private static let endBatch = 100

    /// Writes the rows that the database refused when jobs ended. Rows that are refused again are logged and retried
    /// later.
    ///
    /// - Returns: how many ends were written.
    @discardableResult
    package func runPendingHooks() async throws -> Int {
        var written = 0
        // Usually there are none, and no write is needed.
        while try await database.read({ try $0.jobs.hasPendingHooks(now: .now()) }) {
            let batch = try await database.write { try $0.jobs.runPendingHooks(now: .now(), limit: Self.endBatch) }
            written += batch.written
            if batch.tried < Self.endBatch { break }
        }
        return written
    }

    /// Corrects the counters of people's unfinished submissions, in case rows were lost or restored outside of
    /// Backline. Repairing a damaged database must not lock anybody out.
    package func correctSubmissionCounts() async throws {
        for userID in try await database.read({ try $0.jobs.submitters() }) where !Task.isCancelled {
            do {
                // Within one snapshot, rows and counter are as one transaction left them. So any difference is an
                // error, and the counter stays off by it.
                let error = try await database.read { try $0.jobs.submissionCountError(ofUser: userID) }
                guard error != .zero else { continue }
                try await database.write { $0.jobs.correctSubmissions(by: error, ofUser: userID) }
            } catch let error as StorageError where error.isDamage {
                // A person with unreadable rows keeps their counter; the others are corrected.
                continue
            }
        }
    }
}
