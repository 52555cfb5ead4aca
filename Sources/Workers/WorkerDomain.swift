import Jobs

/// The part of a domain that runs in workers: its job handlers.
package struct WorkerDomain: Sendable {
    let handlers: @Sendable (WorkerProcess) throws -> [JobHandler]

    /// - Parameter handlers: makes the handlers; leaves out those whose provider is not configured.
    package init(handlers: @escaping @Sendable (WorkerProcess) throws -> [JobHandler]) {
        self.handlers = handlers
    }
}
