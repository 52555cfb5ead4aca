import Model
import Telemetry

/// How a process's writes have fared since it started. Nothing here is counted for each write, but for
/// each transaction.
package final class WriteStatistics: Sendable {
    package struct Snapshot: Sendable {
        /// Transactions committed.
        package var batches: Int
        /// Writes within them.
        package var entries: Int
        /// Times the write lock was held by another process.
        package var lockWaits: Int
    }

    private let batches = Counter()
    private let entries = Counter()
    private let lockWait = Histogram(.times)
    private let writeTime = Histogram(.times)
    private let commitTime = Histogram(.times)
    private let batchSize = Histogram(.sizes)

    package var snapshot: Snapshot {
        Snapshot(
            batches: batches.value, entries: entries.value,
            lockWaits: Int(lockWait.values.dropLast().reduce(0, +)))
    }

    package func collect(into snapshot: inout MetricSnapshot) {
        snapshot.set(.databaseCommits, to: batches.value)
        snapshot.set(.databaseWrites, to: entries.value)
        snapshot.set(.databaseLockWait, values: lockWait.values)
        snapshot.set(.databaseWriteTime, values: writeTime.values)
        snapshot.set(.databaseCommitTime, values: commitTime.values)
        snapshot.set(.databaseBatchSize, values: batchSize.values)
    }

    /// A transaction was committed.
    ///
    /// - Parameters:
    ///   - began: when its commit did.
    ///   - oldest: when the write that had waited longest was asked for.
    func committed(entries count: Int, began: MonotonicInstant, oldest: MonotonicInstant?) {
        guard count > 0 else { return }
        batches.add()
        entries.add(count)
        batchSize.observe(Int64(count))
        let now = MonotonicInstant.now()
        commitTime.observe(now.microseconds - began.microseconds)
        if let oldest { writeTime.observe(now.microseconds - oldest.microseconds) }
    }

    /// The write lock was held by another process for so long.
    func waited(_ duration: Duration) {
        lockWait.observe(duration)
    }
}
