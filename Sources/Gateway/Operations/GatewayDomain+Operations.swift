import Messaging
import Storage

extension GatewayDomain {
    /// What operators see, and the upkeep of what all domains use: the database's log, permits.
    static func operations(_ services: GatewayServices, messages: MessageRouter) -> GatewayDomain {
        let (queue, database) = (services.queue, services.database)
        let desk = OperationsDesk(queue: queue, router: messages, metrics: services.metrics)
        let checkpoints = LogCheckpoints(database: database)
        return GatewayDomain(
            "operations",
            routes: { AdminRoutes(queue: queue, desk: desk).add(to: $0.signedIn) },
            monitoringRoutes: { OperationsRoutes(queue: queue, desk: desk, authentication: $1).add(to: $0) },
            upkeepSteps: [
                UpkeepStep("checkpoint", every: .seconds(1)) { try await checkpoints.run() },
                UpkeepStep("clean", every: DatabaseCleaning.interval, startsAtOnce: true) {
                    try await DatabaseCleaning(database: database).run()
                },
                UpkeepStep("probeWriting", every: .seconds(1)) { await database.probeWriting() },
                UpkeepStep("recordSeries", every: SeriesRecorder.interval, startsAtOnce: true) {
                    try await desk.recordSeries()
                },
                UpkeepStep(pruning: "prunePermitKeys", every: pruneInterval, startsAtOnce: true) { time in
                    try await database.deleteInBatches(at: time, of: 100) {
                        try $0.permits.prunePermitKeys(at: $1, limit: $2)
                    }
                    try await database.deleteInBatches(at: time, of: 500) {
                        try $0.permits.pruneShares(at: $1, limit: $2)
                    }
                },
            ],
            pages: [SitePage("/operations", module: "operations/operations.js", section: "operations")])
    }

    /// How often what has grown old is deleted.
    static let pruneInterval = Duration.seconds(600)
}
