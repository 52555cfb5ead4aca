import Jobs

/// The part of a domain that runs in workers: its job handlers.
package struct WorkerDomain: Sendable {
    let handlers: @Sendable (WorkerProcess) throws -> [JobHandler]

    /// - Parameter handlers: makes the handlers; leaves out those whose provider is not configured.
    init(handlers: @escaping @Sendable (WorkerProcess) throws -> [JobHandler]) {
        self.handlers = handlers
    }
}

/// The domains of each worker. Together they have handlers for all kinds of jobs.
extension [WorkerDomain] {
    package static let concertWorker: Self = [
        .concerts,
        .ticketmasterConnections,
    ]

    package static let syncWorker: Self = [
        .accounts,
        .appleMusicConnections,
        .spotifyConnections,
        .library,
        .catalog,
        .listening,
        .pictures,
        .previews,
    ]

    package static let aiWorker: Self = [
        .geminiConnections,
        .curation,
    ]
}
