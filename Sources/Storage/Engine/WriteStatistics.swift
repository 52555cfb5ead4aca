import Model
import Synchronization

/// How a process's writes have fared since it started.
package final class WriteStatistics: Sendable {
    package struct Snapshot: Sendable {
        /// Transactions committed.
        package var batches = 0
        /// Writes within them.
        package var entries = 0
        /// Times the write lock was held by another process.
        package var lockWaits = 0
        /// The sum of those waits, in microseconds.
        package var lockWaitMicroseconds: Int64 = 0
    }

    private let state = Mutex(Snapshot())

    package var snapshot: Snapshot { state.withLock { $0 } }

    func committed(entries: Int) {
        guard entries > 0 else { return }
        state.withLock {
            $0.batches += 1
            $0.entries += entries
        }
    }

    func waited(_ duration: Duration) {
        state.withLock {
            $0.lockWaits += 1
            $0.lockWaitMicroseconds += duration.microseconds
        }
    }
}
