import Bootstrap
import Workers

/// The worker that talks to Ticketmaster.
@main
enum ConcertWorker {
    static func main() async {
        await ServiceRunner.run(name: "concert-worker") { configuration, logger in
            let process = try WorkerProcess.open(service: "concert-worker", configuration: configuration, logger: logger)
            return [try process.service(handlers: [])]
        }
    }
}
