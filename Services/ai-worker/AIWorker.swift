import Composition
import Bootstrap
import Storage
import Workers

/// The worker that makes lists of songs, and asks models for them.
enum AIWorker {
    static func main() async {
        // Each list is made from thousands of songs, each time on a different thread.
        AllocatorArenas.share()
        await ServiceRunner.run(name: "ai-worker", sections: .all) { configuration, manager, logger in
            let process = try await WorkerProcess.open(
                service: "ai-worker", domains: .all, configuration: configuration, manager: manager, logger: logger)
            process.database.register(.all(configuration))
            return [SchemaWatch(process.database), try process.service(.all(of: .ai))]
        }
    }
}
