import Jobs
import Logging
import Model
import ServiceLifecycle
import Storage
import Telemetry

/// The gateway's periodic work: the dispatcher's upkeep, and every domain's steps.
package struct GatewayUpkeep: Service {
    private let dispatcher: Dispatcher
    private let steps: UpkeepRunner<ContinuousClock>

    package init(domains: [GatewayDomain], services: GatewayServices, logger: Logger) {
        dispatcher = services.queue.dispatcher
        let pruningClock = PruningClock(database: services.database, onChange: { Self.log($0, logger) })
        steps = UpkeepRunner(
            domains, clock: ContinuousClock(), pruningTime: { try await pruningClock.time() },
            metrics: services.metrics, logger: logger)
    }

    private static func log(_ change: ClockGuard.Change, _ logger: Logger) {
        switch change {
        case .doubted(let ahead):
            logger.warning(
                """
                the clock is more than a day ahead of the newest time in the database, so no old rows are deleted for \
                an hour; set the clock if it is wrong
                """,
                metadata: ["now": "\(Timestamp.now())", "aheadHours": "\(ahead.components.seconds / 3_600)"])
        case .trusted: logger.notice("the clock is trusted again, and old rows are deleted")
        }
    }

    package func run() async throws {
        await cancelWhenGracefulShutdown {
            async let dispatching: Void = dispatcher.runUpkeep()
            await steps.run()
            await dispatching
        }
        await steps.runLast()
    }
}
