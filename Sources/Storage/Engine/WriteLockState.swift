import Foundation
import Synchronization

/// Whether the write lock can be taken at present.
package enum WriteLockState: Sendable, Equatable {
    case free
    /// No process has opened the database yet.
    case missing
    /// It did not become free in time. The process is `nil` where it cannot be seen.
    case held(by: Int32?)
    case unreadable(reason: String)

    /// Waits for the lock as a writer does, so that a busy lock is not mistaken for a stuck one.
    ///
    /// - Parameter timeout: the longest wait.
    package static func probe(databasePath: String, timeout: Duration) async -> WriteLockState {
        let path = databasePath + ".lock"
        // Not WriteLock, which creates a missing file.
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else {
            return errno == ENOENT ? .missing : .unreadable(reason: String(cString: strerror(errno)))
        }
        let answer = ProbeAnswer()
        return await withCheckedContinuation { continuation in
            answer.expect(continuation)
            // A thread, because flock blocks without a time limit. If the lock stays held, the thread ends with the
            // process.
            Thread.detachNewThread {
                let isTaken = flock(descriptor, LOCK_SH) == 0
                close(descriptor)
                answer.give(isTaken ? .free : .unreadable(reason: "the lock cannot be taken"))
            }
            Task {
                try? await Task.sleep(for: timeout)
                answer.give(.held(by: FileLock.holder(ofFlock: path)))
            }
        }
    }
}

/// Resumes a continuation with the first of two answers.
private final class ProbeAnswer: Sendable {
    private let continuation = Mutex<CheckedContinuation<WriteLockState, Never>?>(nil)

    func expect(_ continuation: CheckedContinuation<WriteLockState, Never>) {
        self.continuation.withLock { $0 = continuation }
    }

    func give(_ state: WriteLockState) {
        continuation.withLock { $0.take() }?.resume(returning: state)
    }
}
