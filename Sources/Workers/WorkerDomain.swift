import Jobs

/// What a domain does in workers: its handlers, made from the process's providers.
package struct WorkerDomain: Sendable {
    let handlers: @Sendable (WorkerProcess) throws -> [JobHandler]

    /// - Parameter handlers: none of what the installation is not set up for.
    init(handlers: @escaping @Sendable (WorkerProcess) throws -> [JobHandler]) {
        self.handlers = handlers
    }
}
