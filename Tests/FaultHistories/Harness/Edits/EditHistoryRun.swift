import Accounts
import Foundation
import Model
import Storage
import TestProcesses
import TestSupport

/// Plays a history of edits on real processes, and records what it observes.
package actor EditHistoryRun {
    /// How long a step waits for an answer before the next one begins without it: processes may be stopped.
    static let patience = Duration.milliseconds(600)
    /// The time in which everything must end after the last step. A copy of 110 songs of which the service refuses some
    /// is written by dozens of edits, one after the other.
    static let limit = Duration.seconds(180)
    /// How long a consent at Spotify lasts.
    static let consentLifetime = Duration.seconds(180 * 86_400)
    /// The divisor by which all consistency delays, pauses and retries are shortened.
    private static let timeDivisor = 10

    let history: EditHistory
    let installation: Installation
    let person: APIClient
    let userID: String
    let upstreams: Simulator
    let appleMusicKey: Simulator.AppleMusicKey
    private let environment: [String: String]
    /// Reserves the gateway's port while it is down.
    private let port: PortReservation
    var clock: WallClock
    var processes: [Role: RunningProcess] = [:]
    var record = EditRecord()
    /// The requests without an answer so far.
    var pending: [Task<Void, Never>] = []
    /// The songs that everybody adds to playlists.
    var songs: [Service: [Song]] = [:]
    /// The services' ids of the initial playlists.
    var given: [Service: [String]] = [:]
    var hasBackup = false
    /// The services that have to be connected again at the end.
    var disconnected: Set<Service> = []

    struct Song: Sendable {
        /// The song's id in the service's library.
        var id: String
        /// The song's id in requests.
        var reference: String
    }

    /// One of the three processes, with all its restarts.
    struct RunningProcess {
        var process: ChildProcess
        var isStopped = false
        var isLeaving = false
        var isKilled = false
    }

    /// Plays a history until everything in it has ended.
    ///
    /// - Throws: an error of the harness itself, such as a process that does not start.
    package static func record(_ history: EditHistory) async throws -> EditRecord {
        let installation = try Installation(environment: settings)
        return try await InstallationsUnderWay.with(installation) {
            try await EditHistoryRun(history, on: installation).play()
        }
    }

    /// The environment of all processes. The leases are the shortest that the configuration allows. With the divisor
    /// Spotify is consistent after 1 s and Apple Music after 2 s, which is longer than a request may take, as in
    /// reality.
    private static let settings = [
        "BACKLINE_JOBS_LEASE_SECONDS": "3", "BACKLINE_JOBS_HEARTBEAT_SECONDS": "1",
        "BACKLINE_WORKER_GRACE_SECONDS": "4", "BACKLINE_LOG_FORMAT": "json",
        "BACKLINE_UPSTREAMS_SPOTIFY_REQUESTS": "1000", "BACKLINE_UPSTREAMS_APPLE_MUSIC_REQUESTS": "1000",
        "BACKLINE_UPSTREAMS_SPOTIFY_TIMEOUT_MS": "500", "BACKLINE_UPSTREAMS_APPLE_MUSIC_TIMEOUT_MS": "500",
        "BACKLINE_LIBRARY_SYNC_HOURS": "0", "BACKLINE_LIBRARY_SPOTIFY_SETTLE_SECONDS": "10",
        "BACKLINE_LIBRARY_APPLE_MUSIC_SETTLE_SECONDS": "20", "BACKLINE_TEST_TIME_DIVISOR": "\(timeDivisor)",
    ]

    private init(_ history: EditHistory, on installation: Installation) async throws {
        self.history = history
        self.installation = installation
        clock = try WallClock(path: "\(installation.folder)/clock")
        let (token, userID) = try await installation.withDatabase { database in
            try await database.migrate()
            let token = try await Accounts(database: database).addUser(name: "ada")
            let id = try await database.read { reader in
                try reader.row("SELECT id FROM users WHERE name = 'ada'").map { try $0["id"] as String }
            }
            return (token, id ?? "")
        }
        self.userID = userID
        upstreams = try await installation.startSimulator(latencyMs: history.setup.latency)
        port = try PortReservation()
        environment = [
            "BACKLINE_TEST_CLOCK_OFFSET_FILE": clock.path, "BACKLINE_HTTP_PORT": "\(port.port)",
        ]
        try await upstreams.spotify.configure(["requestsPerWindow": 0])
        try await upstreams.appleMusic.configure([
            "writesShowAfterCalls": .integer(history.setup.showsAfterCalls),
            "datesShowAtOnce": .bool(history.setup.showsDatesAtOnce),
        ])
        appleMusicKey = try await upstreams.appleMusicKey()
        let gateway = try await installation.startGateway(environment: environment)
        var person = installation.visitor
        person.token = token.secret.reveal()
        self.person = person
        processes[.gateway] = RunningProcess(process: gateway)
        for role in Role.workers { try launch(role) }
        try await installation.connected(workers: Role.workers.count)
    }

    private func play() async throws -> EditRecord {
        try await fill()
        for operation in history.operations { try await perform(operation) }
        try await heal()
        try await collect()
        return record
    }

    func upstream(_ service: Service) -> SimulatedUpstream {
        service == .spotify ? upstreams.spotify : upstreams.appleMusic
    }

    // MARK: The beginning

    /// Gives the person a library at each service, and makes Backline read it.
    private func fill() async throws {
        for service in Service.allCases {
            try await upstream(service).order(
                "library",
                .object([
                    "tracks": .integer(EditHistory.songs), "playlists": .integer(EditHistory.lists),
                    "entries": .integer(history.setup.entries), "oddities": .bool(false), "isLive": .bool(true),
                    "seed": .integer(Int(history.seed % 1_000)),
                ]))
            // On a busy machine the worker may not answer within the seconds for which a request waits.
            try await wait(for: "\(service) to be connected") { try await whenListening { try await connect(service) } }
        }
        try await wait(for: "the first syncs") {
            guard try await unended().isEmpty else { return false }
            return try await librariesAreRead()
        }
        for service in Service.allCases {
            let lists = try await upstream(service).shownPlaylists()
            given[service] = lists.map(\.id)
            record.givenIDs[service] = lists.map(\.id)
            for list in lists { record.lists[.init(service, list.id)] = .init(name: list.name, first: list.entries) }
            songs[service] = try await knownSongs(of: service)
            guard songs[service]?.count == EditHistory.songs else {
                throw UnexpectedAnswer(description: "\(service) has \(songs[service]?.count ?? 0) songs")
            }
            try await upstream(service).beginRecord()
        }
    }

    private func librariesAreRead() async throws -> Bool {
        try await installation.withDatabase { database in
            try await database.read { reader in
                try reader.rows("SELECT DISTINCT source FROM library_playlists WHERE entries_state = 'read'").count == 2
            }
        }
    }

    private func knownSongs(of service: Service) async throws -> [Song] {
        try await installation.withDatabase { database in
            try await database.read { reader in
                try reader.rows(
                    """
                    SELECT source_id, COALESCE(catalog_id, source_id) AS catalog_id FROM library_source_tracks
                    WHERE source = \(service.source.number) AND is_saved = 1 ORDER BY source_id
                    """
                ).map { row in
                    let (id, catalog): (String, String) = (try row["source_id"], try row["catalog_id"])
                    return Song(id: id, reference: "\(service.rawValue):\(catalog)")
                }
            }
        }
    }

    /// Connects a service as a person does.
    func connect(_ service: Service) async throws -> Bool {
        switch service {
        case .spotify:
            struct Answer: Decodable { var authorizeURL: String }
            let begun = try await person.post("/v1/setup/spotify/authorize", "{}")
            guard begun.status == 200 else { return false }
            let parameters = try await upstreams.spotify.decide(
                "allow", at: try begun.decode(Answer.self).authorizeURL
            ).parameters
            let body = JSON.object(parameters.filter { $0.key != "error" }.mapValues { .string($0) })
            return try await person.post("/v1/setup/spotify/callback", body.encoded).status == 200
        case .appleMusic:
            try await upstreams.appleMusic.configure([
                "userTokens": .object([appleMusicKey.userToken: "fr"])
            ])
            let fields: JSON = .object([
                "teamId": .string(appleMusicKey.teamId), "keyId": .string(appleMusicKey.keyId),
                "privateKey": .string(appleMusicKey.privateKey), "userToken": .string(appleMusicKey.userToken),
            ])
            return try await person.send(.PUT, "/v1/setup/apple-music", body: Array(fields.encoded.utf8)).status == 200
        }
    }

    // MARK: Processes

    func launch(_ role: Role) throws {
        var environment = environment
        if role != .gateway {
            environment["BACKLINE_WORKER_NAME"] = role.rawValue
            environment["BACKLINE_WORKER_CONCURRENCY"] = "\(history.setup.concurrency)"
        }
        let program = role == .gateway ? "api-gateway" : "sync-worker"
        processes[role] = RunningProcess(
            process: try installation.start(program, name: role.rawValue, environment: environment))
    }

    func kill(_ role: Role) async throws {
        guard let running = processes[role], running.process.isRunning else { return }
        processes[role]?.isKilled = true
        running.process.kill()
        try await running.process.waitForEnd()
    }

    func stop(_ role: Role) {
        guard let running = processes[role], running.process.isRunning, !running.isStopped else { return }
        running.process.pause()
        processes[role]?.isStopped = true
    }

    func resume(_ role: Role) {
        guard let running = processes[role], running.isStopped else { return }
        running.process.resume()
        processes[role]?.isStopped = false
    }

    func drain(_ role: Role) {
        guard let running = processes[role], running.process.isRunning, !running.isLeaving else { return }
        running.process.terminate()
        processes[role]?.isLeaving = true
    }

    /// Starts a process that has ended or is ending; does nothing if it runs.
    func start(_ role: Role) async throws {
        guard let running = processes[role] else { return }
        if running.isLeaving, !running.isStopped {
            _ = try? await eventually("the end of \(role)", within: .seconds(5)) { !running.process.isRunning }
        }
        try revive(role)
        guard role == .gateway, let gateway = processes[.gateway]?.process else { return }
        // A stopped process may hold the lock of the database.
        _ = try? await eventually("the gateway", within: .seconds(3)) {
            !gateway.isRunning || gateway.output.contains("listening on")
        }
    }

    /// Starts a process if it has ended, as a supervisor does.
    func revive(_ role: Role) throws {
        guard let running = processes[role], let end = running.process.end else { return }
        note(end, of: role, running)
        try launch(role)
    }

    /// Checks that a process exited as requested.
    func note(_ end: ChildProcess.End, of role: Role, _ running: RunningProcess) {
        switch end {
        case .exited(0) where running.isLeaving, .killed(signal: SIGTERM) where running.isLeaving: return
        // A process that is stopped while it ends, or that waits for one that is, may exceed its grace period.
        case .exited(1) where running.isLeaving: return
        case .killed(signal: SIGKILL) where running.isKilled: return
        case .exited where running.process.errors.contains("write lock"): return
        default: break
        }
        let log = running.process.errors.lines.suffix(3).joined(separator: " | ")
        record.crashes.append("\(role) ended by itself (\(end)): \(log)")
    }
}

extension Service {
    var source: MusicSource { self == .spotify ? .spotify : .appleMusic }
}
