import Composition
import Bootstrap
import Storage
import Workers

/// The worker that runs the jobs calling Ticketmaster.
enum ConcertWorker {
    static func main() async {
        await ServiceRunner.run(name: "concert-worker", sections: .all) { configuration, manager, logger in
            let process = try await WorkerProcess.open(
                service: "concert-worker", domains: .all, configuration: configuration, manager: manager, logger: logger
            )
            process.database.register(.all(configuration))
            return [SchemaWatch(process.database), try process.service(.all(of: .concert))]
        }
    }
}
