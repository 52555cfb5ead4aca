import Contracts
import JobStorage
import Model
import Storage
import Synchronization

/// Runs that succeeded with no rows to write but their own, which share one entry of a transaction.
///
/// Thousands of short jobs may end between two commits, and a separate entry for each of them would cost as much as its
/// row.
final class SuccessBatch: Sendable {
    /// The most runs in a batch, which bounds how long one entry holds the write lock.
    static let maximumCount = 512
    /// The most bytes of results in a batch. They are written in some tens of milliseconds.
    static let maximumBytes = 4 << 20

    struct Success: Sendable {
        var run: FinishingRun
        /// The result as JSON.
        var result: String
    }

    private struct State {
        var successes: [Success]
        /// The bytes of the results.
        var bytes: Int
        var isSealed = false
    }

    private let state: Mutex<State>

    init(_ first: Success) {
        state = Mutex(State(successes: [first], bytes: first.result.utf8.count))
    }

    /// Adds a run; `false` when the batch is full or being written.
    func add(_ success: Success) -> Bool {
        state.withLock { state in
            let bytes = state.bytes + success.result.utf8.count
            guard !state.isSealed, state.successes.count < Self.maximumCount, bytes <= Self.maximumBytes else {
                return false
            }
            state.bytes = bytes
            state.successes.append(success)
            return true
        }
    }

    /// The runs of the batch. No more are added afterwards, so that a repeated write writes the same ones.
    func seal() -> [Success] {
        state.withLock { state in
            state.isSealed = true
            return state.successes
        }
    }

    /// Completes the runs that still belong to this worker; the others are stale.
    func write(in transaction: WriteTransaction) throws -> [RunReport] {
        let now = Timestamp.now()
        return try seal().map { success in
            let job = success.run.job
            let isOurs = try transaction.jobs.succeed(
                job.run, userID: job.userID, kind: job.kind, result: success.result, now: now)
            return RunReport(run: job.run, outcome: isOurs ? .finished : .stale)
        }
    }
}
