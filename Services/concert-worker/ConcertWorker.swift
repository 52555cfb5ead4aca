import Bootstrap
import Workers

/// The worker that runs the jobs calling Ticketmaster.
enum ConcertWorker {
    static func main() async {
        await ServiceRunner.run(name: "concert-worker") { configuration, manager, logger in
            let process = try await WorkerProcess.open(
                service: "concert-worker", configuration: configuration, manager: manager, logger: logger)
            return [SchemaWatch(process.database), try process.service(.concertWorker)]
        }
    }
}
