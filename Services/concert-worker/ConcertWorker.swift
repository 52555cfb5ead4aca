import Bootstrap
import Concerts
import Ticketmaster
import Upstream
import Workers

/// The worker that talks to Ticketmaster.
@main
enum ConcertWorker {
    static func main() async {
        await ServiceRunner.run(name: "concert-worker") { configuration, manager, logger in
            let process = try await WorkerProcess.open(
                service: "concert-worker", configuration: configuration, manager: manager, logger: logger)
            let (log, metrics) = (UpstreamLog(logger: logger), UpstreamMetrics(process.metrics))
            let runtime = UpstreamRuntime(transport: HTTPTransport(), database: process.database) { event in
                log.record(event)
                metrics.record(event)
            }
            manager.watch("upstream transport") { runtime.probe($0) }
            let key = configuration.ticketmaster.apiKey
            let upstream = configuration.upstreams[.ticketmaster]
            let baseURL = try BaseURL(upstream.baseURL)
            // Both share the runtime's permits and circuit breaker.
            func client(_ policy: RetryPolicy) -> TicketmasterClient {
                let calls = UpstreamClient(
                    runtime: runtime, provider: "ticketmaster", baseURL: baseURL, credential: key,
                    limit: PermitLimit(requests: upstream.requests, window: upstream.window),
                    limits: TransferLimits(totalTimeout: upstream.timeout), policy: policy,
                    classify: { TicketmasterClient.classify($0) },
                    quotaReset: { TicketmasterClient.quotaReset($0) })
                return TicketmasterClient(key: key) { try await calls.send($0) }
            }
            let source = ConcertSource.ticketmaster(
                client(RetryPolicy()), onceClient: client(RetryPolicy(maximumAttempts: 1, patience: .seconds(15))))
            let nearby = NearbyLookup(
                source: source, database: process.database, cityNames: try configuration.cityNames)
            return [
                try process.service(
                    handlers: [
                        .concertsLookup(ConcertLookup(source: source.sharingCalls())), .concertsNearby(nearby),
                    ],
                    onEnd: { await runtime.shutdown() })
            ]
        }
    }
}
