import Bootstrap
import Workers

/// The worker that talks to Spotify and Apple Music.
@main
enum SyncWorker {
    static func main() async {
        await ServiceRunner.run(name: "sync-worker") { configuration, manager, logger in
            let process = try await WorkerProcess.open(
                service: "sync-worker", configuration: configuration, manager: manager, logger: logger)
            let runtime = process.upstreamRuntime()
            return [
                try process.service(
                    handlers: [try process.appleMusicVerification(runtime: runtime)],
                    onEnd: { await runtime.shutdown() })
            ]
        }
    }
}
