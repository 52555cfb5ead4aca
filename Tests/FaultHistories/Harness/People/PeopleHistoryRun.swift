import Accounts
import Foundation
import TestProcesses
import TestSupport

/// Plays a history of people on a real gateway, and compares what everybody sees with ``PeopleModel``.
actor PeopleHistoryRun {
    /// How long a step waits for an answer before the next one begins without it.
    static let patience = Duration.milliseconds(400)
    /// The time in which everything must end. Nothing takes nearly as long.
    static let limit = Duration.seconds(120)

    let history: PeopleHistory
    let installation: Installation
    let administrator: APIClient
    let people: [APIClient]
    let userIDs: [String]
    /// Reserves the gateway's port while it is down.
    private let port: PortReservation
    var gateway: RunningGateway
    var record = PeopleRecord()
    var model: PeopleModel
    /// The model at the last backup; `nil` without one, or once somebody was erased since.
    var backup: PeopleModel?
    /// The acts without an answer so far.
    var pending: [(people: Set<Int>, task: Task<Void, Never>)] = []
    var reads: [Task<Void, Never>] = []
    var online: [OnlineDevice]
    var offline: [OfflineDevice]
    var suspendedEver: Set<Int> = []
    /// How many acts of people who are signed out were sent. Wrong tokens slow down the answers to everybody here.
    var refusedTokens = 0

    struct RunningGateway {
        var process: ChildProcess
        var isLeaving = false
        var isKilled = false
    }

    /// A device with an event stream.
    struct OnlineDevice {
        var device: PersonDevice
        var stream: EventStream?
        /// The number of events of the stream that have been applied.
        var applied = 0
        /// For `Last-Event-ID`.
        var position: String?
        var needsLists = true
    }

    /// A device that reads now and then what has changed.
    struct OfflineDevice {
        var device: PersonDevice
        var since: String?
        var needsLists = false
    }

    /// Plays a history until everything in it has ended.
    ///
    /// - Throws: an error of the harness itself, such as a process that does not start.
    static func record(_ history: PeopleHistory) async throws -> PeopleRecord {
        let installation = try Installation(environment: ["BACKLINE_LOG_FORMAT": "json"])
        return try await InstallationsUnderWay.with(installation) {
            try await PeopleHistoryRun(history, on: installation).play()
        }
    }

    private init(_ history: PeopleHistory, on installation: Installation) async throws {
        self.history = history
        self.installation = installation
        let usernames = (0..<PeopleHistory.people).map { "person_\($0)" }
        let (tokens, ids) = try await installation.withDatabase { database in
            try await database.migrate()
            let accounts = Accounts(database: database)
            var tokens = [try await accounts.addUser(name: "root_of_all", isAdmin: true)]
            for name in usernames { tokens.append(try await accounts.addUser(name: name)) }
            let ids = try await database.read { reader in
                // Names of one digit each, so that their order is that of the people.
                try reader.rows("SELECT id FROM users WHERE name LIKE 'person_%' ORDER BY name").map {
                    try $0["id"] as String
                }
            }
            return (tokens, ids)
        }
        userIDs = ids
        model = PeopleModel(usernames: usernames)
        port = try PortReservation()
        gateway = RunningGateway(
            process: try await installation.startGateway(environment: ["BACKLINE_HTTP_PORT": "\(port.port)"]))
        let clients = tokens.map { token in
            var client = installation.visitor
            client.token = token.secret.reveal()
            return client
        }
        administrator = clients[0]
        people = Array(clients.dropFirst())
        online = (0..<usernames.count).map { OnlineDevice(device: PersonDevice(name: "the open device of \($0)")) }
        offline = (0..<usernames.count).map { OfflineDevice(device: PersonDevice(name: "the offline device of \($0)")) }
    }

    private func play() async throws -> PeopleRecord {
        try await tendDevices()
        for operation in history.operations {
            try await perform(operation)
            try await tendDevices()
        }
        try await check(isLast: true)
        try await endAll()
        let devices = online.map(\.device) + offline.map(\.device)
        record.changes += devices.map(\.changes).reduce(0, +)
        return record
    }

    private func endAll() async throws {
        for device in online { device.stream?.close() }
        gateway.process.terminate()
        gateway.isLeaving = true
        let end = try await gateway.process.waitForEnd()
        if end != .exited(0) { noteCrash("did not leave as asked", end) }
    }

    // MARK: The gateway

    var isUp: Bool { gateway.process.isRunning && !gateway.isLeaving && !gateway.isKilled }

    func kill() async throws {
        guard gateway.process.isRunning else { return }
        gateway.isKilled = true
        gateway.process.kill()
        try await gateway.process.waitForEnd()
    }

    func drain() {
        guard isUp else { return }
        gateway.process.terminate()
        gateway.isLeaving = true
    }

    /// Starts the gateway if it has ended or is ending, and waits until it listens.
    func start() async throws {
        if isUp { return }
        let end = try await gateway.process.waitForEnd()
        switch end {
        case .exited(0) where gateway.isLeaving, .killed(signal: SIGTERM) where gateway.isLeaving: break
        case .killed(signal: SIGKILL) where gateway.isKilled: break
        default: noteCrash("ended by itself", end)
        }
        gateway = RunningGateway(
            process: try await installation.startGateway(environment: ["BACKLINE_HTTP_PORT": "\(port.port)"]))
    }

    private func noteCrash(_ what: String, _ end: ChildProcess.End) {
        let log = gateway.process.errors.lines.suffix(3).joined(separator: " | ")
        record.note(.processesLive, "the gateway \(what) (\(end)): \(log)")
    }

    // MARK: Steps

    private func perform(_ operation: PeopleOperation) async throws {
        switch operation {
        case .act(let act): try await perform(act)
        case .onBothDevices(let act): try await perform(act, times: 2)
        case .burst(let acts, let kills): try await burst(acts, kills: kills)
        case .whileStopped(let acts, let milliseconds): try await whileStopped(acts, .milliseconds(milliseconds))
        case .wake(let person): try await wake(person)
        case .disconnect(let person): online[person].stream?.close()
        case .read(let person): beginReading(person)
        case .kill: try await kill()
        case .drain: drain()
        case .start: try await start()
        case .check: try await check(isLast: false)
        case .backUp: try await backUp()
        case .restore: try await restore()
        case .pause(let milliseconds): try await Task.sleep(for: .milliseconds(milliseconds))
        }
    }

    /// Waits until every act has its answer, with a gateway that runs.
    func settle() async throws {
        try await start()
        for act in pending { await act.task.value }
        pending = []
    }

    func noteLostAnswer() { record.lostAnswers += 1 }

    func noteViolation(_ rule: Violation.Rule, _ text: String) { record.note(rule, text) }

    // MARK: Backups

    private var backupPath: String { "\(installation.folder)/backup.sqlite" }

    private func backUp() async throws {
        // An act without an answer may be in the backup or not.
        try await settle()
        let command = try await installation.command("backup", backupPath, "--force")
        guard command.end == .exited(0) else {
            throw UnexpectedAnswer(description: "backup: \(command.errors.lines.suffix(3))")
        }
        backup = model
    }

    private func restore() async throws {
        guard let backup else { return }
        try await settle()
        for read in reads { await read.value }
        drain()
        try await gateway.process.waitForEnd()
        await installation.closeDatabase()
        let command = try await installation.command("restore", backupPath)
        guard command.end == .exited(0) else {
            throw UnexpectedAnswer(description: "restore: \(command.errors.lines.suffix(3))")
        }
        model = backup
        try await start()
    }
}
