import Accounts
import Foundation
import Model
import Storage
import Synchronization
import TestProcesses

/// Plays one history on real processes, and writes down what can be seen of it.
package actor HistoryRun {
    /// Of the simulator's artists, those that histories search for.
    package static let artistCount = 40
    /// How long a step waits for an answer before the next one begins without it: processes may be stopped.
    static let patience = Duration.milliseconds(500)
    /// For everything to end once all is well again. Nothing here takes nearly as long.
    static let limit = Duration.seconds(90)

    let history: History
    let installation: Installation
    let users: [APIClient]
    let upstream: Simulator
    let artists: [String]
    private let gatewayEnvironment: [String: String]
    var clock: WallClock
    var processes: [Role: RunningProcess] = [:]
    var record = Record()
    /// Rises with everything that is sent and answered.
    var moment = 0
    /// The body of each job's first request, and its id once that is known.
    var bodies: [Int: String] = [:]
    var ids: [Int: String] = [:]
    /// Searches that were accepted, by number, and whose they are.
    var searchIDs: [Int: String] = [:]
    var searchUsers: [String: Int] = [:]
    /// Of workers that were killed while they held jobs: rows may go on naming them for a while.
    var killedEpochs: Set<String> = []
    /// Requests under way.
    var pending: [Task<Void, Never>] = []

    /// One of the three, over all its lives.
    struct RunningProcess {
        var process: ServiceProcess
        /// Since when it is stopped, in milliseconds of the system's wall clock.
        var stoppedAt: Int?
        var endedAt: Int?
        var isLeaving = false
    }

    /// Plays a history from its beginning to the end of everything in it.
    ///
    /// - Throws: when the harness itself fails, such as for want of processes.
    package static func record(_ history: History) async throws -> Record {
        let installation = try Installation(environment: environment)
        let key = ObjectIdentifier(installation)
        underWay.withLock { $0[key] = installation }
        let result = await Result.of { try await HistoryRun(history, on: installation).play() }
        await installation.destroy()
        underWay.withLock { $0[key] = nil }
        return try result.get()
    }

    private static let underWay = Mutex<[ObjectIdentifier: Installation]>([:])

    /// Kills the processes of all histories under way, stopped ones too, and removes their folders: for a harness
    /// that ends before they do.
    package static func abandonAll() {
        for installation in underWay.withLock({ Array($0.values) }) {
            for process in installation.started { process.kill() }
            try? FileManager.default.removeItem(atPath: installation.folder)
        }
    }

    /// What all processes are told; the leases are the shortest there are.
    private static let environment = [
        "BACKLINE_JOBS_LEASE_SECONDS": "3", "BACKLINE_JOBS_HEARTBEAT_SECONDS": "1",
        "BACKLINE_JOBS_MAXIMUM_ATTEMPTS": "\(History.maximumAttempts)", "BACKLINE_WORKER_GRACE_SECONDS": "4",
        "BACKLINE_LOG_FORMAT": "json", "BACKLINE_TICKETMASTER_API_KEY": Simulator.key,
        "BACKLINE_UPSTREAMS_TICKETMASTER_TIMEOUT_MS": "1000",
        // More than a history asks for while nobody answers: a refusal is nothing that it knows.
        "BACKLINE_QUOTAS_RUNNING_SEARCHES": "1000",
    ]

    private init(_ history: History, on installation: Installation) async throws {
        self.history = history
        self.installation = installation
        record.requestsPerSecond = history.setup.requestsPerSecond
        clock = try WallClock(path: "\(installation.folder)/clock")
        let tokens = try await installation.withDatabase { database in
            try await database.migrate()
            try await ChangeLog.install(in: database)
            let accounts = Accounts(database: database)
            var tokens: [AccessToken] = []
            for number in 1...History.users { tokens.append(try await accounts.addUser(name: "user-\(number)")) }
            return tokens
        }
        upstream = try await Simulator.start(
            in: installation, latencyMs: history.setup.latency, requestsPerSecond: history.setup.requestsPerSecond)
        artists = try await upstream.artists(.popular, count: Self.artistCount)
        gatewayEnvironment = [
            "BACKLINE_TEST_CLOCK_OFFSET_FILE": clock.path,
            // A port that no client's connection can happen to have when the gateway comes back.
            "BACKLINE_HTTP_PORT": "\(Int.random(in: 10_000..<30_000))",
        ]
        let gateway = try await installation.startGateway(environment: gatewayEnvironment)
        users = tokens.map { token in
            var client = installation.visitor
            client.token = token.secret.reveal()
            return client
        }
        processes[.gateway] = RunningProcess(process: gateway)
        for role in Role.workers { try launch(role) }
        try await installation.connected(workers: Role.workers.count)
    }

    private func play() async throws -> Record {
        let poison = Task { await killForPoison() }
        do {
            for operation in history.operations { try await perform(operation) }
            try await heal()
        } catch {
            // It must not start a process any more when this returns.
            poison.cancel()
            await poison.value
            throw error
        }
        poison.cancel()
        await poison.value
        try await collect()
        return record
    }

    // MARK: Processes

    func launch(_ role: Role, faults: String = "") throws {
        var environment = gatewayEnvironment
        if !faults.isEmpty { environment["BACKLINE_TEST_MESSAGE_FAULTS"] = faults }
        var program = "api-gateway"
        if role != .gateway {
            program = role == .first ? history.setup.firstProgram : "concert-worker"
            environment["BACKLINE_WORKER_NAME"] = role.rawValue
            environment["BACKLINE_WORKER_CONCURRENCY"] = "\(history.setup.concurrency)"
            environment["BACKLINE_UPSTREAMS_TICKETMASTER_BASE_URL"] = upstream.baseURL
            environment["BACKLINE_UPSTREAMS_TICKETMASTER_REQUESTS"] = "\(history.setup.requestsPerSecond)"
            // Workers log at this level how each run ended.
            environment["BACKLINE_LOG_LEVEL"] = "debug"
        }
        let process = try installation.start(program, name: role.rawValue, environment: environment)
        if let endedAt = processes[role]?.endedAt { disturbed(since: endedAt) }
        processes[role] = RunningProcess(process: process)
    }

    func disturbed(since start: Int) {
        record.disturbances.append(.init(from: start, to: Self.now()))
    }

    /// Something is about to be done to a worker that may end what it holds.
    func interrupted(_ role: Role, _ sort: Record.Interruption.Sort) {
        if role != .gateway { record.interruptions.append(.init(sort, role.rawValue, at: Self.now())) }
    }

    /// Milliseconds of the system's wall clock.
    static func now() -> Int { Int(Timestamp.now().microseconds / 1_000) }

    func nextMoment() -> Int {
        moment += 1
        return moment
    }
}

extension Result where Failure == any Error {
    fileprivate static func of(_ body: () async throws -> Success) async -> Self {
        do {
            return .success(try await body())
        } catch {
            return .failure(error)
        }
    }
}
