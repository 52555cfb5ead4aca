import Jobs

/// The part of a domain that runs in workers: its job handlers, and what runs beside the jobs.
package struct WorkerDomain: Sendable {
    let handlers: @Sendable (WorkerProcess) throws -> [JobHandler]
    let beside: (@Sendable (WorkerProcess) async -> Void)?

    /// - Parameters:
    ///   - handlers: makes the handlers; leaves out those whose provider is not configured.
    ///   - beside: runs once the database has its schema, and is cancelled when the last job has ended.
    package init(
        handlers: @escaping @Sendable (WorkerProcess) throws -> [JobHandler],
        beside: (@Sendable (WorkerProcess) async -> Void)? = nil
    ) {
        self.handlers = handlers
        self.beside = beside
    }
}
