import Bootstrap
import Workers

/// The worker that runs the jobs calling Spotify, Apple Music and Google.
enum SyncWorker {
    static func main() async {
        await ServiceRunner.run(name: "sync-worker") { configuration, manager, logger in
            let process = try await WorkerProcess.open(
                service: "sync-worker", configuration: configuration, manager: manager, logger: logger)
            return [SchemaWatch(process.database), try process.service(.syncWorker)]
        }
    }
}
