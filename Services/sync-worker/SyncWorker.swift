import Bootstrap
import Workers

/// The worker that talks to Spotify, Apple Music and Google.
@main
enum SyncWorker {
    static func main() async {
        await ServiceRunner.run(name: "sync-worker") { configuration, manager, logger in
            let process = try await WorkerProcess.open(
                service: "sync-worker", configuration: configuration, manager: manager, logger: logger)
            let runtime = process.upstreamRuntime()
            var handlers = [try process.appleMusicVerification(runtime: runtime)]
            let spotify = try configuration.spotify.clientID.map {
                try SpotifyCalls(clientID: $0, runtime: runtime, process: process)
            }
            if let spotify {
                handlers += [.spotifyAuthorize(spotify), .spotifyProfile(spotify)]
            }
            if let google = try GoogleCalls(configuration.google, runtime: runtime, process: process) {
                handlers += [.googleSignIn(google), .googleEndpoints(google)]
                if configuration.google.signUp == .everyone {
                    logger.notice("whoever signs in with Google gets an account; google.signUp limits that")
                }
            }
            return [
                try process.service(handlers: handlers) { deadline in
                    await spotify?.finish(by: deadline)
                    await runtime.shutdown()
                }
            ]
        }
    }
}
