import Model
import Telemetry

/// Statistics of a process's writes since it started. They are updated for each transaction, not for each write.
package final class WriteStatistics: Sendable {
    package struct Snapshot: Sendable {
        /// The number of committed transactions.
        package var batches: Int
        /// The number of writes in them.
        package var entries: Int
        /// How often another process held the write lock.
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

    /// Counts a committed transaction.
    ///
    /// - Parameters:
    ///   - count: the number of its writes.
    ///   - began: when the commit began.
    ///   - oldest: when its oldest write was enqueued.
    func committed(entries count: Int, began: MonotonicInstant, oldest: MonotonicInstant?) {
        guard count > 0 else { return }
        batches.add()
        entries.add(count)
        batchSize.observe(Int64(count))
        let now = MonotonicInstant.now()
        commitTime.observe(now.microseconds - began.microseconds)
        if let oldest { writeTime.observe(now.microseconds - oldest.microseconds) }
    }

    /// Counts a wait for the write lock of another process.
    func waited(_ duration: Duration) {
        lockWait.observe(duration)
    }
}
