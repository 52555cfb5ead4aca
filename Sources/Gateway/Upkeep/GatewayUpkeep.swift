import Jobs
import Logging
import ServiceLifecycle
import Telemetry

/// What the gateway does by the clock for everybody: the dispatcher's upkeep, and every domain's steps.
package struct GatewayUpkeep: Service {
    private let dispatcher: Dispatcher
    private let steps: UpkeepRunner<ContinuousClock>

    package init(domains: [GatewayDomain], services: GatewayServices, logger: Logger) {
        dispatcher = services.queue.dispatcher
        steps = UpkeepRunner(domains, clock: ContinuousClock(), metrics: services.metrics, logger: logger)
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
