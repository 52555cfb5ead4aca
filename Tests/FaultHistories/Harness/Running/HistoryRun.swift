import Accounts
import Foundation
import Model
import Storage
import TestProcesses
import TestSupport

/// Plays one history on real processes, and records what it observes.
package actor HistoryRun {
    /// The artists of the simulator for which histories search.
    package static let artistCount = 40
    /// How long a step waits for an answer before the next one begins without it: processes may be stopped.
    static let patience = Duration.milliseconds(500)
    /// The time in which everything must end after the last step. Nothing takes nearly as long.
    static let limit = Duration.seconds(90)

    let history: History
    let installation: Installation
    let users: [APIClient]
    /// The users' ids, in the same order.
    let userIDs: [String]
    let upstream: Simulator
    let artists: [String]
    private let gatewayEnvironment: [String: String]
    var clock: WallClock
    var processes: [Role: RunningProcess] = [:]
    var record = Record()
    /// A counter of requests and answers, which orders them.
    var moment = 0
    /// The body of each job's first request, and its id once that is known.
    var bodies: [Int: String] = [:]
    var ids: [Int: String] = [:]
    /// The accepted searches by number, each with its user.
    var searchIDs: [Int: String] = [:]
    var searchUsers: [String: Int] = [:]
    /// The listen of each user, whose song the user shares.
    private(set) var listens: [String] = []
    /// The instances of workers that were killed while they held jobs. Rows may name them for some time after.
    var killedEpochs: Set<String> = []
    /// Requests that have no answer yet.
    var pending: [Task<Void, Never>] = []

    /// One of the three processes, with all its restarts.
    struct RunningProcess {
        var process: ChildProcess
        /// When it was stopped, in milliseconds of the system's wall clock; `nil` while it runs.
        var stoppedAt: Int?
        var endedAt: Int?
        var isLeaving = false
    }

    /// Plays a history until everything in it has ended.
    ///
    /// - Throws: an error of the harness itself, such as a process that does not start.
    package static func record(_ history: History) async throws -> Record {
        let installation = try Installation(environment: environment)
        return try await InstallationsUnderWay.with(installation) {
            try await HistoryRun(history, on: installation).play()
        }
    }

    /// The environment of all processes. The leases are the shortest that the configuration allows.
    private static let environment = [
        "BACKLINE_JOBS_LEASE_SECONDS": "3", "BACKLINE_JOBS_HEARTBEAT_SECONDS": "1",
        "BACKLINE_JOBS_MAXIMUM_ATTEMPTS": "\(History.maximumAttempts)", "BACKLINE_WORKER_GRACE_SECONDS": "4",
        "BACKLINE_LOG_FORMAT": "json", "BACKLINE_TICKETMASTER_API_KEY": Simulator.key,
        "BACKLINE_UPSTREAMS_TICKETMASTER_TIMEOUT_MS": "1000",
    ]

    private init(_ history: History, on installation: Installation) async throws {
        self.history = history
        self.installation = installation
        record.requestsPerSecond = history.setup.requestsPerSecond
        clock = try WallClock(path: "\(installation.folder)/clock")
        let (tokens, userIDs) = try await installation.withDatabase { database in
            try await database.migrate()
            try await ChangeLog.install(in: database)
            let accounts = Accounts(database: database)
            var tokens: [APIToken] = []
            for number in 1...History.users { tokens.append(try await accounts.addUser(name: "user_\(number)")) }
            let ids = try await database.read { reader in
                // Names of one digit each, so that their order is that of the users.
                try reader.rows("SELECT id FROM users WHERE name LIKE 'user_%' ORDER BY name").map {
                    try $0["id"] as String
                }
            }
            return (tokens, ids)
        }
        self.userIDs = userIDs
        upstream = try await Simulator.start(
            in: installation, latencyMs: history.setup.latency, requestsPerSecond: history.setup.requestsPerSecond)
        artists = try await upstream.artists(.popular, count: Self.artistCount)
        var gatewayEnvironment = [
            "BACKLINE_TEST_CLOCK_OFFSET_FILE": clock.path,
            // The port is below the ephemeral ports, so a client's connection cannot have it when the gateway restarts.
            "BACKLINE_HTTP_PORT": "\(Int.random(in: 10_000..<30_000))",
        ]
        if let limit = history.setup.runningSearches {
            gatewayEnvironment["BACKLINE_QUOTAS_RUNNING_SEARCHES"] = "\(limit)"
            record.maximumRunningSearches = limit
        }
        if let limit = history.setup.unfinishedJobs {
            gatewayEnvironment["BACKLINE_QUOTAS_UNFINISHED_JOBS"] = "\(limit)"
            record.maximumUnfinishedJobs = limit
        }
        if let limit = history.setup.unfinishedBytes {
            gatewayEnvironment["BACKLINE_QUOTAS_UNFINISHED_BYTES"] = "\(limit)"
            record.maximumUnfinishedBytes = limit
        }
        self.gatewayEnvironment = gatewayEnvironment
        let gateway = try await installation.startGateway(environment: gatewayEnvironment)
        users = tokens.map { token in
            var client = installation.visitor
            client.token = token.secret.reveal()
            return client
        }
        processes[.gateway] = RunningProcess(process: gateway)
        for role in Role.workers { try launch(role) }
        try await installation.connected(workers: Role.workers.count)
        for user in users { listens.append(try await Self.listen(of: user)) }
    }

    private func play() async throws -> Record {
        let poison = Task { await killForPoison() }
        do {
            for operation in history.operations { try await perform(operation) }
            try await heal()
        } catch {
            // No process may be started after this returns.
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

    /// Records that the next operation may end the jobs of a worker.
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
