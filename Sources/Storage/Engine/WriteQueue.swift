import Dispatch
import Foundation
import Model
import Platform
import Synchronization

/// The queue of a process's writes, and the one thread that performs them.
///
/// Writes that arrive during a commit go into the next one, so that batches grow with the load and an idle system adds
/// no delay.
final class WriteQueue: Sendable {
    /// The most entries of a transaction, to limit the wait of other processes.
    static let maximumBatch = 2_048
    /// The most parts (``WriteTransaction/apart(_:)``) of an entry that are left out because they encountered a damaged
    /// page. The entry runs again for each.
    private static let maximumDamagedParts = 128

    private let state = Mutex(WriteQueueState())
    /// The makers of each batch's attachments, by type.
    private let attachments = Mutex<[ObjectIdentifier: @Sendable () -> any BatchAttachment]>([:])
    /// Handlers to call with the people whose rows a transaction changed, each with the topic that it is for; `nil` for
    /// all topics.
    private let changeHandlers = Mutex<[(topic: ChangeTopic?, call: @Sendable (Set<String>) -> Void)]>([])
    private let authorHandlers = Mutex<[@Sendable (Set<Int64>) -> Void]>([])
    private let arrivals = DispatchSemaphore(value: 0)
    private let ended = DispatchSemaphore(value: 0)
    private let engine: any StorageEngine
    private let schema: Schema
    private let maximumBatchTime: Duration
    let statistics = WriteStatistics()
    private let health: StorageHealth

    /// - Parameters:
    ///   - schema: nothing is written with a later one.
    ///   - health: notified of each commit that writes to the disk.
    ///   - niceness: the niceness of the writer's thread (``Database/preferredNiceness``).
    ///   - maximumBatchTime: the time after which a batch accepts no further entries.
    init(
        engine: any StorageEngine, schema: Schema, health: StorageHealth, niceness: Int32, maximumBatchTime: Duration
    ) {
        self.engine = engine
        self.schema = schema
        self.health = health
        self.maximumBatchTime = maximumBatchTime
        NamedThread.start("backline-writer", niceness: niceness) { [self] in run() }
    }

    /// Gives every batch from the next one on an attachment, in place of another of its type.
    func attach<Attachment: BatchAttachment>(
        _ type: Attachment.Type, make: @escaping @Sendable () -> Attachment
    ) {
        attachments.withLock { $0[ObjectIdentifier(type)] = make }
    }

    private func makeAttachments() -> [any BatchAttachment] {
        attachments.withLock { $0.values.map { $0() } }
    }

    func onChange(of topic: ChangeTopic?, _ handler: @escaping @Sendable (Set<String>) -> Void) {
        changeHandlers.withLock { $0.append((topic, handler)) }
    }

    func onChangeOfAuthors(_ handler: @escaping @Sendable (Set<Int64>) -> Void) {
        authorHandlers.withLock { $0.append(handler) }
    }

    private func notify(_ notes: ChangeNotifications) {
        guard !notes.isEmpty else { return }
        for (topic, call) in changeHandlers.withLock({ $0 }) {
            let concerned = topic.map { notes.userIDs[$0] ?? [] } ?? notes.everybody
            if !concerned.isEmpty { call(concerned) }
        }
        guard !notes.authors.isEmpty else { return }
        for call in authorHandlers.withLock({ $0 }) { call(notes.authors) }
    }

    func enqueue(_ write: PendingWrite) {
        let accepted = state.withLock { state in
            guard !state.isClosed else { return false }
            state.pending.append(write)
            return true
        }
        if accepted {
            arrivals.signal()
        } else {
            write.fail(StorageError.closed)
        }
    }

    /// Calls `answer` with the next round of the writer's thread.
    ///
    /// While the writer waits for another process's lock, `answer` is called at once: restarting this process would not
    /// help. The same applies to a closed queue.
    func probe(_ answer: @escaping @Sendable () -> Void) {
        let isAnswered = state.withLock { state in
            if state.blockedSince != nil || state.isClosed { return true }
            state.probes.append(answer)
            return false
        }
        if isAnswered { answer() } else { arrivals.signal() }
    }

    /// Refuses new writes, finishes the waiting ones and ends the thread. Blocks until then.
    ///
    /// - Returns: `false` when another process has held the lock for longer than ``WriteQueueState/lockTimeout``. In
    ///   that case all writes have been answered, and the thread remains without performing any.
    func close() -> Bool {
        let wasOpen = state.withLock { state in
            defer { state.isClosed = true }
            return !state.isClosed
        }
        guard wasOpen else { return true }
        arrivals.signal()
        while ended.wait(timeout: .now() + .milliseconds(100)) == .timedOut {
            if blockingProcess != nil, state.withLock(\.pending.isEmpty) { return false }
        }
        return true
    }

    /// The error `busy` with the lock's holder, once the writer has waited for ``WriteQueueState/lockTimeout``; else
    /// `nil`.
    var blockingProcess: StorageError? {
        guard state.withLock({ $0.isBlocked(now: .now()) }) else { return nil }
        return .busy(holder: engine.lockHolder)
    }

    // MARK: The writer's thread

    private func run() {
        defer { ended.signal() }
        while true {
            arrivals.wait()
            let (isEmpty, isClosed, probes) = state.withLock { state in
                (state.pending.isEmpty, state.isClosed, state.takeProbes())
            }
            for answer in probes { answer() }
            if isEmpty {
                if isClosed { return }
                continue
            }
            acquireLock()
            // The waiting writes may have timed out meanwhile, and the database may be closed.
            let answers = state.withLock({ $0.pending.isEmpty }) ? [] : runBatch()
            engine.unlock()
            // Outside the lock: another process may write meanwhile.
            for answer in answers { answer() }
            if state.withLock({ !$0.pending.isEmpty || $0.isClosed }) {
                arrivals.signal()
            }
        }
    }

    private func acquireLock() {
        if engine.tryLock() { return }
        let began = MonotonicInstant.now()
        let (startWatch, probes) = state.withLock { state in
            state.blockedSince = began
            defer { state.isWatched = true }
            return (!state.isWatched, state.takeProbes())
        }
        for answer in probes { answer() }
        if startWatch { watchForTimeout() }
        do {
            try engine.lock()
        } catch {
            // Only a broken descriptor can cause this. Without the lock no write is safe.
            fatalError("The database's write lock cannot be taken: \(error)")
        }
        state.withLock { $0.blockedSince = nil }
        statistics.waited(began.duration(to: .now()))
    }

    /// Refuses writes that time out while the writer's thread waits in the kernel.
    private func watchForTimeout() {
        Task.detached { [self] in
            while true {
                try? await Task.sleep(for: .milliseconds(250))
                let (expired, continues) = state.withLock { state -> ([PendingWrite], Bool) in
                    guard state.blockedSince != nil else {
                        state.isWatched = false
                        return ([], false)
                    }
                    return (state.takeExpired(now: .now()), true)
                }
                if !expired.isEmpty {
                    let error = StorageError.busy(holder: engine.lockHolder)
                    for write in expired { write.fail(error) }
                }
                if !continues { return }
            }
        }
    }

    private func next(shared: Bool) -> PendingWrite? {
        state.withLock { state in
            guard let first = state.pending.first, first.isolation.isShared == shared else { return nil }
            return state.pending.removeFirst()
        }
    }

    /// - Returns: what to call now that the batch is durable.
    private func runBatch() -> [@Sendable () -> Void] {
        engine.withWriter { connection in
            if let single = next(shared: false) {
                perform(single, alone: connection, inTransaction: single.isolation == .alone)
                return []
            }
            let batch = WriteBatch(connection: connection, schema: schema, attachments: makeAttachments())
            let began = MonotonicInstant.now()
            var oldest: MonotonicInstant?
            while batch.attempts < Self.maximumBatch,
                batch.attempts == 0 || began.duration(to: .now()) < maximumBatchTime,
                !batch.isLost, let write = next(shared: true)
            {
                oldest = oldest ?? write.enqueuedAt
                batch.run(write)
            }
            var (calls, outcome) = commit(batch, on: connection, oldest: oldest)
            if !outcome.again.isEmpty {
                // They succeeded until another entry ended their transaction.
                let second = WriteBatch(connection: connection, schema: schema, attachments: makeAttachments())
                var left = outcome.again[...]
                while !second.isLost, let write = left.popFirst() { second.run(write) }
                let (moreCalls, secondOutcome) = commit(second, on: connection, oldest: oldest)
                calls += moreCalls
                outcome.alone = secondOutcome.again + secondOutcome.alone + left + outcome.alone
            }
            for write in outcome.alone {
                perform(write, alone: connection, inTransaction: true)
            }
            return calls
        }
    }

    /// - Returns: what to call now that the batch is durable, and the outcome of its entries.
    private func commit(
        _ batch: WriteBatch, on connection: any SQLConnection, oldest: MonotonicInstant?
    ) -> (calls: [@Sendable () -> Void], outcome: WriteBatch.Outcome) {
        let began = MonotonicInstant.now()
        let outcome = batch.commit()
        statistics.committed(entries: outcome.done.count, began: began, oldest: oldest)
        if !outcome.done.isEmpty { recordCommit(on: connection) }
        let notes = batch.notes
        let told: [@Sendable () -> Void] = notes.isEmpty ? [] : [{ [self] in notify(notes) }]
        return (outcome.done + told + batch.whenDurable, outcome)
    }

    /// Runs an entry alone: one that shares no transaction, or an entry of a lost batch.
    private func perform(_ write: PendingWrite, alone connection: any SQLConnection, inTransaction: Bool) {
        var damagedParts: [Int: any Error] = [:]
        while true {
            let transaction = WriteTransaction(
                connection: connection, attachments: makeAttachments(), damagedParts: damagedParts)
            do {
                return try perform(write, in: transaction, inTransaction: inTransaction)
            } catch {
                connection.rollback()
                guard let part = transaction.damagedPart, damagedParts.count < Self.maximumDamagedParts else {
                    return write.fail(error)
                }
                // Run it again without the part that encountered a damaged page.
                damagedParts[part.number] = part.error
            }
        }
    }

    private func perform(
        _ write: PendingWrite, in transaction: WriteTransaction, inTransaction: Bool
    ) throws {
        let connection = transaction.connection
        if inTransaction {
            try connection.begin()
            try transaction.requireKnown(schema)
        }
        let answer = try write.perform(transaction)
        if inTransaction {
            transaction.entrySucceeded()
            let commitBegan = MonotonicInstant.now()
            try transaction.finishBatch()
            try connection.commit()
            statistics.committed(entries: 1, began: commitBegan, oldest: write.enqueuedAt)
            recordCommit(on: connection)
        }
        answer()
        notify(transaction.notes)
        for call in transaction.whenDurable { call() }
    }

    /// Notes that writing works. A commit that wrote nothing to the disk proves nothing.
    private func recordCommit(on connection: any SQLConnection) {
        if connection.hasWritten { health.committed() }
    }
}
