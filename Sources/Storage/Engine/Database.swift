import Model

/// The shared database: snapshots for reading, one queue for writing. Several processes use it at once.
///
/// It knows its engine only as a ``StorageEngine``. What an engine alone has is beside that engine.
package final class Database: Sendable {
    /// The schema of this program. Whoever uses the database migrates it to this schema, or waits for that.
    package let schema: Schema
    let engine: any StorageEngine
    let writes: WriteQueue
    private let health: StorageHealth

    /// The niceness of the gateway's writer thread. All processes wait while it holds the lock; on a machine with few
    /// processors it held the lock twice as long as it ran. The writers of workers keep the normal niceness: with a
    /// higher priority they committed more often, with fewer entries at a time.
    package static let preferredNiceness: Int32 = -5

    /// - Parameters:
    ///   - schema: the schema of this program.
    ///   - niceness: the niceness of the writer thread; a value below zero takes effect where the system allows it.
    ///   - maximumBatchTime: the time after which a batch of writes accepts no further entries.
    init(engine: any StorageEngine, schema: Schema, niceness: Int32, maximumBatchTime: Duration) {
        self.engine = engine
        self.schema = schema
        health = StorageHealth(engine: engine)
        writes = WriteQueue(
            engine: engine, schema: schema, health: health, niceness: niceness, maximumBatchTime: maximumBatchTime)
    }

    // MARK: Reading

    /// Runs `body` on a snapshot, on a thread outside the cooperative pool.
    ///
    /// - Throws: what `body` throws, or ``StorageError``.
    package func read<Value: Sendable>(
        _ body: @escaping @Sendable (ReadTransaction) throws -> Value
    ) async throws -> Value {
        try await engine.read { [health] connection in
            do {
                return try body(ReadTransaction(connection: connection))
            } catch {
                if case StorageError.corrupt = error { health.failed(error) }
                throw error
            }
        }
    }

    // MARK: Writing

    /// Gives every batch of writes an attachment, in place of another of its type. Call it before the first write that
    /// needs the attachment.
    package func attach<Attachment: BatchAttachment>(
        _ type: Attachment.Type, make: @escaping @Sendable () -> Attachment
    ) {
        writes.attach(type, make: make)
    }

    /// Makes one write, which is durable when this returns. A failure rolls back this write alone.
    ///
    /// `body` runs a second time if the transaction that it shared was lost, so it must change nothing but the
    /// database.
    ///
    /// - Parameter isPlain: runs it without a savepoint (``PendingWrite/Isolation/plain``). For writes of many pages,
    ///   of which SQLite would keep copies until the savepoint's end.
    /// - Throws: what `body` throws, or ``StorageError``.
    @discardableResult
    package func write<Value: Sendable>(
        isPlain: Bool = false, _ body: @escaping @Sendable (WriteTransaction) throws -> Value
    ) async throws -> Value {
        try await withCheckedThrowingContinuation { continuation in
            enqueueWrite(isPlain: isPlain, body) { continuation.resume(with: $0) }
        }
    }

    /// Makes one write. `completion` runs on the writer's thread once the write is durable or has failed, and must be
    /// quick.
    ///
    /// - Parameter isPlain: runs it without a savepoint (``PendingWrite/Isolation/plain``).
    package func enqueueWrite<Value: Sendable>(
        isPlain: Bool = false,
        _ body: @escaping @Sendable (WriteTransaction) throws -> Value,
        completion: @escaping @Sendable (Result<Value, any Error>) -> Void
    ) {
        writes.enqueue(
            PendingWrite(
                isolation: isPlain ? .plain : .savepoint, enqueuedAt: .now(),
                perform: { transaction in
                    let value = try body(transaction)
                    return { completion(.success(value)) }
                },
                fail: { [health] error in
                    health.failed(error)
                    completion(.failure(error))
                }))
    }

    /// Makes one write in a transaction of its own, which is durable when this returns.
    ///
    /// - Returns: what `body` returns, and the time that the write lock was held for it.
    /// - Throws: what `body` throws, or ``StorageError``.
    package func writeAlone<Value: Sendable>(
        _ body: @escaping @Sendable (WriteTransaction) throws -> Value
    ) async throws -> (value: Value, held: Duration) {
        try await withCheckedThrowingContinuation {
            (continuation: CheckedContinuation<(value: Value, held: Duration), any Error>) in
            writes.enqueue(
                PendingWrite(
                    isolation: .alone, enqueuedAt: .now(),
                    perform: { transaction in
                        let began = MonotonicInstant.now()
                        let value = try body(transaction)
                        // Called after the commit.
                        return { continuation.resume(returning: (value, began.duration(to: .now()))) }
                    },
                    fail: { [health] error in
                        health.failed(error)
                        continuation.resume(throwing: error)
                    }))
        }
    }

    /// Calls `handler` after each durable transaction of this process with the ids of the people whose rows it changed
    /// (``WriteTransaction/recordChange(of:topic:)``). It runs on the writer's thread and must be quick.
    package func onChange(_ handler: @escaping @Sendable (Set<String>) -> Void) {
        writes.onChange(of: nil, handler)
    }

    /// Like ``onChange(_:)``, for the people whose rows of one topic a transaction changed.
    package func onChange(of topic: ChangeTopic, _ handler: @escaping @Sendable (Set<String>) -> Void) {
        writes.onChange(of: topic, handler)
    }

    /// Calls `handler` after each durable transaction of this process with the authors of whom it changed
    /// something (``WriteTransaction/recordChange(ofAuthor:_:)``). It runs on the writer's thread and must be quick.
    package func onChangeOfAuthors(_ handler: @escaping @Sendable (Set<Int64>) -> Void) {
        writes.onChangeOfAuthors(handler)
    }

    /// The reason why the database is currently unusable: damage, another process that has held the lock for more than
    /// five seconds, or the error of the last write. `nil` if it is usable.
    package var blockage: StorageError? { writes.blockingProcess ?? health.trouble }

    /// Writes a few bytes after a write failed for a temporary reason, so that ``blockage`` ends along with the reason
    /// even if nobody else writes.
    package func probeWriting() async {
        guard health.trouble?.mayPass == true else { return }
        // `blockage` reports the error.
        try? await write { _ = try $0.nextChange() }
    }

    /// Calls `answer` on the writer's thread soon, unless that thread hangs. A wait for another process's lock does not
    /// count as hanging.
    package func probeWriter(_ answer: @escaping @Sendable () -> Void) { writes.probe(answer) }

    package var writeStatistics: WriteStatistics { writes.statistics }

    // MARK: The process

    /// How long ``lockForGateway(timeout:)`` waits.
    package static let gatewayTimeout = Duration.seconds(5)

    /// Makes this process the one gateway of the database until ``close()`` or its end. Call it before anything that
    /// only the gateway may do: migrating, releasing runs, checkpoints.
    ///
    /// - Parameter timeout: how long to wait for a command that migrates, or for a gateway that is shutting down.
    /// - Throws: ``GatewayRunning`` when another process is the gateway; ``StorageError``.
    package func lockForGateway(timeout: Duration = gatewayTimeout) async throws {
        try await engine.lockForGateway(timeout: timeout)
    }

    /// Finishes the waiting writes and closes the database. Blocks until then.
    package func close() {
        guard writes.close() else { return }
        engine.close()
    }
}
