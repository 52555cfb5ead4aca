import Composition
import Bootstrap
import Storage
import Workers

/// The worker that runs the jobs calling Spotify, Apple Music and Google.
enum SyncWorker {
    static func main() async {
        await ServiceRunner.run(name: "sync-worker", sections: .all) { configuration, manager, logger in
            let process = try await WorkerProcess.open(
                service: "sync-worker", domains: .all, configuration: configuration, manager: manager, logger: logger)
            process.database.register(.all(configuration))
            return [SchemaWatch(process.database), try process.service(.all(of: .sync))]
        }
    }
}
