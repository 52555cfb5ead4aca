import Bootstrap
import Workers

/// The worker that runs the jobs calling Gemini.
@main
enum AIWorker {
    static func main() async {
        await ServiceRunner.run(name: "ai-worker") { configuration, manager, logger in
            let process = try await WorkerProcess.open(
                service: "ai-worker", configuration: configuration, manager: manager, logger: logger)
            return [try process.service(.aiWorker)]
        }
    }
}
