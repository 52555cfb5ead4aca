/// What ``Database`` needs of the database that it stands for: connections for reading and writing, and the lock that
/// keeps the writers of all processes apart. ``SQLiteEngine`` is the one that programs use.
protocol StorageEngine: AnyObject, Sendable {
    /// Runs `body` on a snapshot, on a thread outside the cooperative pool.
    ///
    /// - Throws: what `body` throws, or ``StorageError``.
    func read<Value: Sendable>(_ body: @escaping @Sendable (any SQLConnection) throws -> Value) async throws -> Value

    /// Runs `body` with the connection for writing, outside any transaction. Only the writer's thread calls it, while
    /// it has the write lock.
    func withWriter<Value>(_ body: (any SQLConnection) -> Value) -> Value

    // MARK: The write lock

    /// Takes the write lock if it is free.
    ///
    /// - Returns: whether it was taken.
    func tryLock() -> Bool
    /// Waits for the write lock. Blocks the thread.
    func lock() throws
    func unlock()
    /// The process that has the write lock or gets it next; `nil` if there is none, or if it cannot be seen.
    var lockHolder: Int32? { get }

    // MARK: The process

    /// Makes this process the one gateway of the database until ``close()`` or its end.
    ///
    /// - Parameter timeout: how long to wait for another one that is shutting down.
    /// - Throws: ``GatewayRunning`` when another process is the gateway; ``StorageError``.
    func lockForGateway(timeout: Duration) async throws
    /// Whether the disk has room for more than the smallest writes, as far as this process can see.
    var hasRoom: Bool { get }
    /// Closes the connections and frees the locks. Blocks until then. Nothing may be read or written afterwards.
    func close()
}
