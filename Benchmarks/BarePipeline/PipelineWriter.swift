import Foundation
import Synchronization

/// The writing thread of a process: entries that arrive during a commit are in the next one.
///
/// `Entry` is the value of one call of `enqueue`. A transaction takes as many entries as one of Backline's.
final class PipelineWriter<Entry: Sendable>: Sendable {
    /// Backline's `WriteQueue` has the same two limits.
    private static var maximumBatch: Int { 1_024 }
    private static var maximumBatchTime: Duration { .milliseconds(5) }

    private let pending = Mutex<[Entry]>([])
    private let arrivals = DispatchSemaphore(value: 0)

    /// - Parameters:
    ///   - checkpoints: whether this process moves the log into the database, about once a second.
    ///   - open: makes, on the thread, the value that writes one entry.
    ///   - committed: called, on the thread, with the entries that have become durable.
    init(
        folder: String, checkpoints: Bool,
        open: @escaping @Sendable (borrowing PlainDatabase) throws -> EntryWriter<Entry>,
        committed: @escaping @Sendable ([Entry]) -> Void
    ) {
        let thread = Thread { [self] in
            do {
                try run(folder: folder, checkpoints: checkpoints, open: open, committed: committed)
            } catch {
                fatalError("The bare pipeline cannot write: \(error)")
            }
        }
        thread.start()
    }

    func enqueue(_ entry: Entry) {
        pending.withLock { $0.append(entry) }
        arrivals.signal()
    }

    private func takePending() -> ArraySlice<Entry> {
        pending.withLock { entries in
            defer { entries = [] }
            return entries[...]
        }
    }

    private func run(
        folder: String, checkpoints: Bool, open: (borrowing PlainDatabase) throws -> EntryWriter<Entry>,
        committed: ([Entry]) -> Void
    ) throws {
        let lock = try PipelineLock(folder: folder)
        lock.lock()
        let database = try PlainDatabase.open(folder: folder)
        lock.unlock()
        let writer = try open(database)
        var lastCheckpoint = ContinuousClock.now
        var backlog: ArraySlice<Entry> = []
        while true {
            if backlog.isEmpty {
                arrivals.wait()
                backlog = takePending()
                if backlog.isEmpty { continue }
            }
            lock.lock()
            try database.execute("BEGIN IMMEDIATE")
            let began = ContinuousClock.now
            var written: [Entry] = []
            while written.count < Self.maximumBatch,
                written.isEmpty || began.duration(to: .now) < Self.maximumBatchTime
            {
                if backlog.isEmpty { backlog = takePending() }
                guard let entry = backlog.popFirst() else { break }
                try writer.write(entry)
                written.append(entry)
            }
            try database.execute("COMMIT")
            if checkpoints, lastCheckpoint.duration(to: .now) > .seconds(1) {
                try database.execute("PRAGMA wal_checkpoint(PASSIVE)")
                lastCheckpoint = .now
            }
            lock.unlock()
            committed(written)
        }
    }
}

/// Writes one entry within the transaction that is under way; belongs to the writer's thread.
struct EntryWriter<Entry> {
    let write: (Entry) throws -> Void
}

/// The lock file that all writing processes queue on.
struct PipelineLock: ~Copyable {
    private let descriptor: Int32

    init(folder: String) throws {
        let path = "\(folder)/bare.lock"
        descriptor = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else {
            throw PipelineError.lock(path: path, reason: String(cString: strerror(errno)))
        }
    }

    deinit {
        close(descriptor)
    }

    func lock() {
        while flock(descriptor, LOCK_EX) != 0 {}
    }

    func unlock() {
        flock(descriptor, LOCK_UN)
    }
}
