import Logging
import Messaging
import PermitStorage
import Storage
import Telemetry

extension GatewayDomain {
    /// The operators' endpoints, and the upkeep for what all domains share: the write-ahead log, cleaning, permits.
    package static func operations(_ services: GatewayServices, messages: MessageRouter) -> GatewayDomain {
        let (queue, database) = (services.queue, services.database)
        let service = OperationsService(queue: queue, router: messages, metrics: services.metrics)
        let checkpoints = LogCheckpoints(database: database)
        let logger = Logger(label: "api-gateway")
        let throttle = LogThrottle(limit: 1, per: .seconds(86_400))
        let cleaning = DatabaseCleaning(database: database) { pages in
            logger.log(
                level: .warning,
                """
                the database is too large to be cleaned of copies of deleted rows; to remove them, stop everything and \
                run 'backline compact'
                """,
                metadata: ["pages": "\(pages)", "limit": "\(CleaningState.maximumPages)"], throttle: throttle)
        }
        return GatewayDomain(
            "operations",
            routes: { AdminRoutes(queue: queue, service: service).add(to: $0.signedIn) },
            monitoringRoutes: { router, authentication in
                OperationsRoutes(
                    queue: queue, sealer: services.sealer, service: service, authentication: authentication,
                    metricsAccess: services.metricsAccess
                ).add(to: router)
            },
            upkeepSteps: [
                UpkeepStep("checkpoint", every: LogCheckpoints.interval) { try await checkpoints.run() },
                UpkeepStep("clean", every: DatabaseCleaning.interval, startsAtOnce: true) {
                    try await cleaning.run()
                },
                UpkeepStep("probeWriting", every: .seconds(1)) { await database.probeWriting() },
                UpkeepStep("recordSeries", every: SeriesRecorder.interval, startsAtOnce: true) {
                    try await service.recordSeries()
                },
                UpkeepStep(pruning: "pruneGoneItems", every: pruneInterval, startsAtOnce: true) { time in
                    try await database.deleteInBatches(at: time.before(goneItemRetention), of: 500) {
                        try $0.pruneGoneItems(before: $1, limit: $2)
                    }
                    try await database.deleteInSteps { try $0.pruneAuthors(limit: $1) }
                },
                UpkeepStep(pruning: "prunePermitKeys", every: pruneInterval, startsAtOnce: true) { time in
                    // The grants come first, so that few are left for the transactions that delete keys.
                    try await database.deleteInBatches(at: time) {
                        try $0.permits.prunePermitGrants(at: $1, limit: $2)
                    }
                    try await database.deleteInBatches(at: time, of: 100) {
                        try $0.permits.prunePermitKeys(at: $1, limit: $2)
                    }
                    try await database.deleteInBatches(at: time, of: 500) {
                        try $0.permits.pruneShares(at: $1, limit: $2)
                    }
                },
            ],
            pages: [
                SitePage("/operations", module: "operations/operations.js", section: "operations"),
                SitePage("/operations/components", module: "operations/components.js", section: "operations"),
            ])
    }
}
