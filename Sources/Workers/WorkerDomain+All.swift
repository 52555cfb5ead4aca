/// The domains of each worker. Together they have a handler for every kind of job.
extension [WorkerDomain] {
    package static let concertWorker: Self = [
        .concerts,
        .ticketmasterConnections,
    ]

    package static let syncWorker: Self = [
        .accounts,
        .appleMusicConnections,
        .spotifyConnections,
    ]

    package static let aiWorker: Self = [
        .geminiConnections
    ]
}
