import Bootstrap
import Workers

/// The worker that talks to Gemini.
@main
enum AIWorker {
    static func main() async {
        await ServiceRunner.run(name: "ai-worker") { configuration, logger in
            let process = try WorkerProcess.open(service: "ai-worker", configuration: configuration, logger: logger)
            return [try process.service(handlers: [])]
        }
    }
}
