import Bootstrap
import Jobs
import Upstream
import Workers

/// The worker that talks to Spotify and Apple Music.
@main
enum SyncWorker {
    static func main() async {
        await ServiceRunner.run(name: "sync-worker") { configuration, manager, logger in
            let process = try await WorkerProcess.open(
                service: "sync-worker", configuration: configuration, manager: manager, logger: logger)
            let (log, metrics) = (UpstreamLog(logger: logger), UpstreamMetrics(process.metrics))
            let runtime = UpstreamRuntime(transport: HTTPTransport(), database: process.database) { event in
                log.record(event)
                metrics.record(event)
            }
            manager.watch("upstream transport") { runtime.probe($0) }
            var handlers: [JobHandler] = []
            if let clientID = configuration.spotify.clientID {
                let spotify = try SpotifyCalls(
                    clientID: clientID, upstreams: configuration.upstreams, runtime: runtime, process: process)
                handlers += [.spotifyAuthorize(spotify), .spotifyProfile(spotify)]
            }
            return [try process.service(handlers: handlers, onEnd: { await runtime.shutdown() })]
        }
    }
}
