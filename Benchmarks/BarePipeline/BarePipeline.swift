import Foundation

/// The lower bound that Backline's engine is compared with: the same durable transactions between the same number of
/// processes, and nothing else.
///
/// JSON in, insert, ZeroMQ to two worker processes, one task a job, an update fenced by the run,
/// everything in WAL mode with `synchronous=FULL` under the same kind of write lock. There is no HTTP, no reply, no
/// authentication, no credit, no lease, no index but the primary key, and nothing survives a crash
/// but the rows.
///
/// `bare-pipeline JOBS FOLDER` prints one line of JSON. It starts its workers itself.
@main
enum BarePipeline {
    static let batchSize = 1_000
    static let connections = 4
    static let workers = ["worker-1", "worker-2"]

    static func main() async throws {
        let arguments = CommandLine.arguments
        if arguments.count == 4, arguments[1] == "worker" {
            try await PipelineWorker(name: arguments[3], folder: arguments[2]).run()
        } else if arguments.count == 3, let jobs = Int(arguments[1]), jobs > 0, jobs.isMultiple(of: batchSize) {
            try await runGateway(jobs: jobs, folder: arguments[2])
        } else {
            FileHandle.standardError.write(
                Data("usage: bare-pipeline JOBS FOLDER (JOBS is a multiple of \(batchSize))\n".utf8))
            exit(64)
        }
    }

    private static func runGateway(jobs: Int, folder: String) async throws {
        let gateway = try PipelineGateway(folder: folder)
        let children = try workers.map { name in
            let child = Process()
            child.executableURL = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath()
            child.arguments = ["worker", folder, name]
            try child.run()
            return child
        }
        defer {
            for child in children {
                child.terminate()
                child.waitUntilExit()
            }
        }
        try await gateway.waitForWorkers(workers.count)
        // The caches of each process are warm before the clock starts, as in the other benchmarks.
        _ = try await gateway.push(documents(jobs: 2 * batchSize), connections: connections)
        let documents = documents(jobs: jobs)
        let elapsed = try await gateway.push(documents, connections: connections)
        let succeeded = try gateway.succeededJobs()
        guard succeeded == jobs + 2 * batchSize else {
            throw PipelineError.wrongCount(expected: jobs + 2 * batchSize, found: succeeded)
        }
        let seconds = Double(elapsed.components.seconds) + Double(elapsed.components.attoseconds) / 1e18
        print(#"{"jobs":\#(jobs),"seconds":\#(seconds),"jobsPerSecond":\#(Double(jobs) / seconds)}"#)
    }

    /// Batches as `POST /v1/jobs/batch` takes them.
    private static func documents(jobs: Int) -> [Data] {
        stride(from: 0, to: jobs, by: batchSize).map { first in
            let entries = (first..<first + batchSize).map {
                #"{"kind":"diagnostics.echo","payload":{"message":"echo \#($0)"}}"#
            }
            return Data(#"{"jobs":[\#(entries.joined(separator: ","))]}"#.utf8)
        }
    }
}

enum PipelineError: Error, CustomStringConvertible {
    case sqlite(String)
    case lock(path: String, reason: String)
    case wrongCount(expected: Int, found: Int)

    var description: String {
        switch self {
        case .sqlite(let message): "SQLite: \(message)"
        case .lock(let path, let reason): "The lock file \(path) cannot be used: \(reason)"
        case .wrongCount(let expected, let found): "\(expected) jobs should have succeeded, \(found) have."
        }
    }
}
