import CLinux
import Foundation
import Synchronization

/// Whether the write lock can be taken at present.
package enum WriteLockState: Sendable, Equatable {
    case free
    /// No process has opened the database yet.
    case missing
    /// It did not become free in time. The process is `nil` if it cannot be seen.
    case held(by: Int32?)
    /// It is free, but the process that is next in turn does not take it because that process is stopped. The others
    /// pass it over.
    case passing(over: Int32?)
    case unreadable(reason: String)

    /// How often the turn is checked, and the pause between two checks.
    private static let looks = 50
    private static let lookInterval = Duration.milliseconds(20)
    /// After how many checks the process is searched again: after it was found, and after it was not, since a search
    /// can miss it. A process that cannot be seen is searched for ten times.
    private static let looksBetweenSearches = 10
    private static let looksAfterMiss = 5

    /// Waits for the lock as a writer does, so that a busy lock is not mistaken for a stuck one.
    ///
    /// - Parameter timeout: the longest wait.
    package static func probe(databasePath: String, timeout: Duration) async -> WriteLockState {
        let path = DatabasePath.resolved(databasePath) + WriteLock.suffix
        // WriteLock is not used, because it creates a missing file.
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else {
            return errno == ENOENT ? .missing : .unreadable(reason: String(cString: strerror(errno)))
        }
        let answer = ProbeAnswer()
        let state = await withCheckedContinuation { continuation in
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
        guard state == .free, let process = await processHoldingQueue(path: path) else { return state }
        return .passing(over: process > 0 ? process : nil)
    }

    /// The process that is next in turn for the lock for a whole second without any other process being next; 0 for one
    /// that cannot be seen; `nil` if there is none. On a busy system some process is always next, but not always the
    /// same one.
    private static func processHoldingQueue(path: String) async -> Int32? {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { return nil }
        defer { close(descriptor) }
        var process: Int32?
        var (timesFound, nextSearch) = (0, 0)
        for look in 0..<looks {
            // A shared lock: the file may be open for reading only.
            if clinux_lock_first_byte(descriptor, Int16(F_RDLCK)) == 0 {
                _ = clinux_lock_first_byte(descriptor, Int16(F_UNLCK))
                return nil
            }
            if look >= nextSearch {
                let found = WriteLock.nextInQueue(path: path)
                // A search that finds nothing proves nothing: the list of locks changes while it is read.
                if let found {
                    guard process == nil || process == found else { return nil }
                    process = found
                    timesFound += 1
                }
                nextSearch = look + (found == nil ? looksAfterMiss : looksBetweenSearches)
            }
            try? await Task.sleep(for: lookInterval)
        }
        // If it was found only once, it was next at that moment, and others were before or after it.
        return timesFound == 1 ? nil : process ?? 0
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
