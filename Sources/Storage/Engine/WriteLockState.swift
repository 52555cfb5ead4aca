import Foundation
import Synchronization

/// Whether writes could be made at present.
package enum WriteLockState: Sendable, Equatable {
    case free
    /// Nobody has opened the database yet.
    case missing
    /// It did not become free in all the time that was given. The process is `nil` where it cannot be seen.
    case held(by: Int32?)
    case unreadable(reason: String)

    /// Queues on the lock as a writer does, so that a lock which many take in turn is not mistaken for a stuck one.
    ///
    /// - Parameter patience: how long to wait.
    package static func probe(databasePath: String, patience: Duration) async -> WriteLockState {
        let path = databasePath + ".lock"
        // Not WriteLock, which makes the file where it is missing.
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else {
            return errno == ENOENT ? .missing : .unreadable(reason: String(cString: strerror(errno)))
        }
        let answer = ProbeAnswer()
        return await withCheckedContinuation { continuation in
            answer.expect(continuation)
            // A thread, because flock blocks and knows no time limit; where the lock stays held, the thread ends
            // with the process.
            Thread.detachNewThread {
                let isTaken = flock(descriptor, LOCK_SH) == 0
                close(descriptor)
                answer.give(isTaken ? .free : .unreadable(reason: "the lock cannot be taken"))
            }
            Task {
                try? await Task.sleep(for: patience)
                answer.give(.held(by: FileLock.holder(ofFlock: path)))
            }
        }
    }
}

/// The first answer counts.
private final class ProbeAnswer: Sendable {
    private let continuation = Mutex<CheckedContinuation<WriteLockState, Never>?>(nil)

    func expect(_ continuation: CheckedContinuation<WriteLockState, Never>) {
        self.continuation.withLock { $0 = continuation }
    }

    func give(_ state: WriteLockState) {
        continuation.withLock { $0.take() }?.resume(returning: state)
    }
}
