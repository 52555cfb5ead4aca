import Foundation
import Storage
import Synchronization
import TestSupport

/// A Backline of its own for one test: a folder with a database, and the processes on it.
///
/// Whoever made it ends it with ``destroy()``: everything it started is gone then, and its folder with it.
package final class Installation: Sendable {
    package enum Worker: String, Sendable, CaseIterable {
        case concert = "concert-worker"
        case sync = "sync-worker"
        case ai = "ai-worker"
    }

    private let temporaryFolder: TemporaryFolder
    package let databasePath: String
    /// Where the database is, when that is a disk of its own.
    package let disk: SmallDisk?
    /// Where gateway and workers meet.
    package let endpoint: String
    /// What all its processes are told.
    private let environment: Mutex<[String: String]>
    private let processes = Mutex<[ServiceProcess]>([])
    /// Opened when a test first looks into it.
    private let opened = Mutex<Database?>(nil)
    /// Where the gateway listens; the system chooses at its first start, and it comes back there.
    private let port = Mutex<String?>(nil)

    /// - Parameters:
    ///   - environment: what all its processes are told besides where they find each other.
    ///   - megabytes: gives the database a disk of this size.
    package init(environment: [String: String] = [:], disk megabytes: Int? = nil) throws {
        temporaryFolder = try TemporaryFolder()
        let folder = temporaryFolder
        disk = try megabytes.map { try SmallDisk(at: folder.file("disk"), megabytes: $0) }
        endpoint = "ipc://\(temporaryFolder.file("run/gateway.ipc"))"
        databasePath = temporaryFolder.file(megabytes == nil ? "data.sqlite" : "disk/data.sqlite")
        self.environment = Mutex(
            [
                "BACKLINE_DATABASE_PATH": databasePath,
                "BACKLINE_MESSAGING_ENDPOINT": endpoint,
                "BACKLINE_HTTP_HOST": "127.0.0.1",
            ].merging(environment) { _, given in given })
    }

    package var folder: String { temporaryFolder.path }

    /// Tells all processes that start from now on these settings, too.
    package func tell(_ settings: [String: String]) {
        environment.withLock { $0.merge(settings) { _, given in given } }
    }

    /// Starts a simulator that all processes which start from now on ask instead of the real upstreams.
    package func startSimulator(latencyMs: Int = 5, requestsPerSecond: Int = 40) async throws -> Simulator {
        let simulator = try await Simulator.start(
            in: self, latencyMs: latencyMs, requestsPerSecond: requestsPerSecond)
        let secretFile = folder + "/google-client-secret"
        let secret = Data(Simulator.googleClientSecret.utf8)
        guard FileManager.default.createFile(
            atPath: secretFile, contents: secret, attributes: [.posixPermissions: 0o600])
        else { throw UnexpectedAnswer(description: "no file at \(secretFile)") }
        tell(simulator.environment)
        tell(["BACKLINE_GOOGLE_CLIENT_SECRET_FILE": secretFile])
        tell(["BACKLINE_UPSTREAMS_TICKETMASTER_REQUESTS": "\(requestsPerSecond)"])
        return simulator
    }

    /// All that were started, in order.
    package var started: [ServiceProcess] { processes.withLock { $0 } }

    /// The processes of one program that run.
    package func running(_ program: String) -> [ServiceProcess] {
        started.filter { $0.isRunning && $0.name == program }
    }

    // MARK: Processes

    /// Starts one of the package's programs and returns at once.
    ///
    /// - Parameter launcher: a command that becomes the program, such as `ip netns exec NAME` or `prlimit --nofile=160`.
    package func start(
        _ program: String, _ arguments: [String] = [], name: String? = nil, environment: [String: String] = [:],
        through launcher: [String] = []
    ) throws -> ServiceProcess {
        let words = launcher + [Executable.product(program)] + arguments
        let process = try ServiceProcess(
            words[0], Array(words.dropFirst()), name: name ?? program,
            environment: self.environment.withLock { $0 }.merging(environment) { _, given in given }, folder: folder)
        processes.withLock { $0.append(process) }
        return process
    }

    /// Runs one of the command line's commands to its end.
    package func command(_ arguments: String...) async throws -> ServiceProcess {
        let process = try start("backline", arguments)
        try await process.waitForEnd()
        return process
    }

    /// Starts the gateway, and waits until it is ready.
    @discardableResult
    package func startGateway(
        environment: [String: String] = [:], through launcher: [String] = []
    ) async throws -> ServiceProcess {
        let known = port.withLock { $0 } ?? "0"
        let gateway = try start(
            "api-gateway", environment: ["BACKLINE_HTTP_PORT": known].merging(environment) { _, given in given },
            through: launcher)
        let line =
            try await eventually("the gateway's address") {
                if let line = gateway.output.lines.first(where: { $0.contains("listening on") }) { return line }
                if let end = gateway.end {
                    throw WaitedInVain(
                        description: "The gateway did not start (\(end)): \(gateway.errors.lines.suffix(5))")
                }
                return nil
            } as String
        port.withLock { $0 = line.split(separator: ":").last.map(String.init) }
        return gateway
    }

    /// Starts a worker, and waits until it is ready.
    package func startWorker(
        _ worker: Worker = .concert, environment: [String: String] = [:], through launcher: [String] = []
    ) async throws -> ServiceProcess {
        let process = try start(worker.rawValue, environment: environment, through: launcher)
        try await process.waitForLog("ready")
        return process
    }

    /// Waits until the gateway knows so many workers.
    package func connected(workers count: Int) async throws {
        try await eventually("\(count) connected workers") {
            try await visitor.get("/readyz").decode(JSON.self)["workers"] == .integer(count)
        }
    }

    /// A gateway and workers of one kind, connected.
    package func startAll(workers: Int = 1, concurrency: Int? = nil) async throws -> (
        gateway: ServiceProcess, workers: [ServiceProcess]
    ) {
        let gateway = try await startGateway()
        let environment = concurrency.map { ["BACKLINE_WORKER_CONCURRENCY": "\($0)"] } ?? [:]
        var processes: [ServiceProcess] = []
        for _ in 0..<workers { processes.append(try await startWorker(environment: environment)) }
        try await connected(workers: workers)
        return (gateway, processes)
    }

    // MARK: People

    /// Someone without a token.
    package var visitor: APIClient {
        let host = environment.withLock { $0["BACKLINE_HTTP_HOST"] } ?? "127.0.0.1"
        return APIClient(baseURL: "http://\(host):\(port.withLock { $0 } ?? "0")")
    }

    /// Adds a user.
    ///
    /// - Parameter isAdmin: whether they may see and mend what is not theirs, and have jobs of diagnostics take long.
    package func addUser(_ name: String = "ada", isAdmin: Bool = false) async throws -> APIClient {
        let command = try start("backline", ["user", "add", name] + (isAdmin ? ["--admin"] : []))
        try await command.waitForEnd()
        guard command.end == .exited(0), let token = command.output.lines.first else {
            throw UnexpectedAnswer(description: "backline user add: \(command.errors.lines)")
        }
        var client = visitor
        client.token = token
        return client
    }

    /// Adds a user who may see and mend what is not theirs.
    package func addAdministrator(_ name: String = "root") async throws -> APIClient {
        try await addUser(name, isAdmin: true)
    }

    // MARK: The database

    /// Looks into the database beside the processes, and writes there as they do: under the lock file.
    @discardableResult
    package func withDatabase<Value>(_ body: (Database) async throws -> Value) async throws -> Value {
        let known = opened.withLock { $0 }
        let database = if let known { known } else { try await openDatabase() }
        return try await body(database)
    }

    private func openDatabase() async throws -> Database {
        let new = try await onThread { [databasePath] in try Database.open(path: databasePath) }
        let first = opened.withLock { opened in
            opened = opened ?? new
            return opened ?? new
        }
        if first !== new { try await onThread { new.close() } }
        return first
    }

    /// Closes what ``withDatabase(_:)`` opened; it opens it again.
    package func closeDatabase() async {
        let database = opened.withLock { opened in
            defer { opened = nil }
            return opened
        }
        if let database { try? await onThread { database.close() } }
    }

    // MARK: The end

    /// Ends all processes and removes the folder.
    package func destroy() async {
        for process in started { await process.destroy() }
        await closeDatabase()
        disk?.unmount()
        // At once, for the runner may end before the last value that stands for a folder does.
        try? FileManager.default.removeItem(atPath: folder)
    }

    package func printLogs() {
        for process in started {
            let state = process.end.map { "\($0)" } ?? "running"
            print("--- \(process.name) \(process.processID) (\(state))")
            for line in process.errors.lines.suffix(40) { print("    \(line)") }
        }
    }
}
