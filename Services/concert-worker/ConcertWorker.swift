import Bootstrap
import Workers

/// The worker that talks to Ticketmaster.
@main
enum ConcertWorker {
    static func main() async {
        await ServiceRunner.run(name: "concert-worker") { configuration, manager, logger in
            let process = try await WorkerProcess.open(
                service: "concert-worker", configuration: configuration, manager: manager, logger: logger)
            let runtime = process.upstreamRuntime()
            let sources = try LookupSources(process: process, runtime: runtime)
            return [
                try process.service(
                    handlers: [
                        .concertsLookup(sources),
                        .concertsNearby(
                            sources, database: process.database, cityNames: try configuration.cityNames),
                        try process.ticketmasterVerification(runtime: runtime),
                    ],
                    onEnd: { _ in await runtime.shutdown() })
            ]
        }
    }
}
