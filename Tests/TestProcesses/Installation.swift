import Composition
import Domains
import Foundation
import Storage
import Synchronization
import TestSupport

/// An installation for one test: a folder with a database, and the processes that use it.
///
/// ``destroy()`` ends its processes and removes its folder.
package final class Installation: Sendable {
    package enum Worker: String, Sendable, CaseIterable {
        case concert = "concert-worker"
        case sync = "sync-worker"
        case ai = "ai-worker"
    }

    private let temporaryFolder: TemporaryFolder
    package let databasePath: String
    /// The disk of the database, if it has one of its own.
    package let disk: SmallDisk?
    /// The messaging endpoint of gateway and workers.
    package let endpoint: String
    /// The environment of all its processes.
    private let environment: Mutex<[String: String]>
    private let processes = Mutex<[ChildProcess]>([])
    /// Opened by the first ``withDatabase(_:)``.
    private let opened = Mutex<Database?>(nil)
    /// The port on which the gateway listens, the same after a restart.
    private let port = Mutex<String?>(nil)
    /// Reserves the port while the gateway is down.
    private let reservation = Mutex<PortReservation?>(nil)

    /// - Parameters:
    ///   - environment: variables of all processes, in addition to their paths and addresses.
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
                // The first times of these schedules are random, and tests count calls.
                "BACKLINE_LISTENING_SPOTIFY_SECONDS": "0",
                "BACKLINE_RELEASES_ACTIVE_DAYS": "0",
                // Tests send requests faster than people.
                "BACKLINE_LIMITS_REQUESTS_PER_SECOND": "0",
            ].merging(environment) { _, given in given })
    }

    package var folder: String { temporaryFolder.path }

    /// Adds variables to the environment of all processes that start from now on.
    package func configure(_ settings: [String: String]) {
        environment.withLock { $0.merge(settings) { _, given in given } }
    }

    /// Removes a variable from the environment of all processes that start from now on.
    package func forget(_ name: String) {
        environment.withLock { $0[name] = nil }
    }

    /// Starts a simulator. All processes that start from now on call it instead of the real upstreams.
    package func startSimulator(latencyMs: Int = 5, requestsPerSecond: Int = 40) async throws -> Simulator {
        let simulator = try await Simulator.start(
            in: self, latencyMs: latencyMs, requestsPerSecond: requestsPerSecond)
        let secretFile = folder + "/google-client-secret"
        let secret = Data(Simulator.googleClientSecret.utf8)
        guard
            FileManager.default.createFile(
                atPath: secretFile, contents: secret, attributes: [.posixPermissions: 0o600])
        else { throw UnexpectedAnswer(description: "no file at \(secretFile)") }
        configure(simulator.environment)
        configure(["BACKLINE_GOOGLE_CLIENT_SECRET_FILE": secretFile])
        configure(["BACKLINE_UPSTREAMS_TICKETMASTER_REQUESTS": "\(requestsPerSecond)"])
        return simulator
    }

    /// All processes that were started, in order.
    package var started: [ChildProcess] { processes.withLock { $0 } }

    /// The running processes of one program.
    package func running(_ program: String) -> [ChildProcess] {
        started.filter { $0.isRunning && $0.name == program }
    }

    // MARK: Processes

    /// Starts one of the package's programs and returns at once.
    ///
    /// - Parameters:
    ///   - launcher: a command that executes the program, such as `ip netns exec NAME` or `prlimit --nofile=9`.
    ///   - executables: the folder of the program.
    package func start(
        _ program: String, _ arguments: [String] = [], name: String? = nil, environment: [String: String] = [:],
        through launcher: [String] = [], from executables: String = Executable.folder
    ) throws -> ChildProcess {
        let words = launcher + ["\(executables)/\(program)"] + arguments
        let process = try ChildProcess(
            words[0], Array(words.dropFirst()), name: name ?? program,
            environment: self.environment.withLock { $0 }.merging(environment) { _, given in given }, folder: folder)
        processes.withLock { $0.append(process) }
        return process
    }

    /// Runs a command of `backline` to its end.
    package func command(_ arguments: String...) async throws -> ChildProcess {
        let process = try start("backline", arguments)
        try await process.waitForEnd()
        return process
    }

    /// Starts the gateway, and waits until it is ready.
    @discardableResult
    package func startGateway(
        environment: [String: String] = [:], through launcher: [String] = []
    ) async throws -> ChildProcess {
        let gateway = try start(
            "api-gateway",
            environment: ["BACKLINE_HTTP_PORT": try portOfGateway()].merging(environment) { _, given in given },
            through: launcher)
        let line = try await gateway.waitForOutput("listening on")
        port.withLock { $0 = line.split(separator: ":").last.map(String.init) }
        return gateway
    }

    private func portOfGateway() throws -> String {
        if let known = port.withLock({ $0 }) { return known }
        // The address of a network namespace does not belong to this process, and nothing else listens there.
        guard environment.withLock({ $0["BACKLINE_HTTP_HOST"] }) == "127.0.0.1" else { return "0" }
        let reserved = try PortReservation()
        reservation.withLock { $0 = reserved }
        return "\(reserved.port)"
    }

    /// Starts a worker, and waits until it is ready.
    package func startWorker(
        _ worker: Worker = .concert, environment: [String: String] = [:], through launcher: [String] = []
    ) async throws -> ChildProcess {
        let process = try start(worker.rawValue, environment: environment, through: launcher)
        try await process.waitForLog("ready")
        return process
    }

    /// Waits until the given number of workers are connected.
    package func connected(workers count: Int) async throws {
        try await eventually("\(count) connected workers") {
            do {
                return try await visitor.get("/readyz").decode(JSON.self)["workers"] == .integer(count)
            } catch let error where !(error is UnexpectedAnswer) {
                // A gateway that has just started does not listen yet.
                guard running("api-gateway").isEmpty else { return false }
                let log = started.last { $0.name == "api-gateway" }?.errors.lines.suffix(5) ?? []
                throw WaitTimeout(description: "The gateway does not run (\(error)): \(log)")
            }
        }
    }

    /// Starts a gateway and concert-workers, and waits until they are connected.
    package func startAll(workers: Int = 1, concurrency: Int? = nil) async throws -> (
        gateway: ChildProcess, workers: [ChildProcess]
    ) {
        let gateway = try await startGateway()
        let environment = concurrency.map { ["BACKLINE_WORKER_CONCURRENCY": "\($0)"] } ?? [:]
        var processes: [ChildProcess] = []
        for _ in 0..<workers { processes.append(try await startWorker(environment: environment)) }
        try await connected(workers: workers)
        return (gateway, processes)
    }

    // MARK: People

    /// A client without a token.
    package var visitor: APIClient {
        let host = environment.withLock { $0["BACKLINE_HTTP_HOST"] } ?? "127.0.0.1"
        return APIClient(baseURL: "http://\(host):\(port.withLock { $0 } ?? "0")")
    }

    /// Adds a user.
    ///
    /// - Parameter isAdmin: makes the user an administrator, who may submit long `diagnostics` jobs.
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

    /// Adds an administrator.
    package func addAdministrator(_ name: String = "root") async throws -> APIClient {
        try await addUser(name, isAdmin: true)
    }

    // MARK: The database

    /// Also opens the processes' database in this process. Writes take the same lock file.
    @discardableResult
    package func withDatabase<Value>(_ body: (Database) async throws -> Value) async throws -> Value {
        let known = opened.withLock { $0 }
        let database = if let known { known } else { try await openDatabase() }
        return try await body(database)
    }

    private func openDatabase() async throws -> Database {
        let new = try await onThread { [databasePath] in try Database.open(path: databasePath, schema: Schema(of: .all))
        }
        let first = opened.withLock { opened in
            opened = opened ?? new
            return opened ?? new
        }
        if first !== new { try await onThread { new.close() } }
        return first
    }

    /// Closes the database that ``withDatabase(_:)`` opened. The next call opens it again.
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
        // Removed here, because the test runner may exit before the last reference to the folder is released.
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
