import TestProcesses
import TestSupport
import Testing

/// A Backline installation whose concert-workers call a simulator.
struct ConcertInstallation: Sendable {
    let base: Installation
    let upstream: Simulator
    /// The environment of the workers.
    let workerEnvironment: [String: String]

    /// Settings of the simulator and the workers.
    struct Setup: Sendable {
        var workers = 1
        /// The milliseconds from a request to its answer.
        var latencyMs = 5
        /// The number of requests per second that the simulator allows and for which the workers are configured. The
        /// real upstream allows 5.
        var requestsPerSecond = 40
        /// The keys that the simulator accepts.
        var keys = [Simulator.key]
        /// The key that the workers have.
        var workerKey: String? = Simulator.key
        /// Further settings of the workers.
        var worker: [String: String] = [:]
        /// Further settings of every process.
        var environment: [String: String] = [:]

        static let standard = Setup()

        /// The limit and latency of the real upstream.
        static func strict(workers: Int) -> Setup {
            Setup(workers: workers, latencyMs: 80, requestsPerSecond: 5)
        }
    }

    /// Runs everything while `body` runs.
    static func run(
        _ setup: Setup = .standard, sourceLocation: SourceLocation = #_sourceLocation,
        _ body: (ConcertInstallation) async throws -> Void
    ) async throws {
        try await Installation.run(environment: setup.environment, sourceLocation: sourceLocation) { base in
            let upstream = try await Simulator.start(
                in: base, latencyMs: setup.latencyMs, requestsPerSecond: setup.requestsPerSecond, keys: setup.keys)
            var environment = [
                "BACKLINE_UPSTREAMS_TICKETMASTER_BASE_URL": upstream.baseURL,
                "BACKLINE_UPSTREAMS_TICKETMASTER_REQUESTS": "\(setup.requestsPerSecond)",
            ]
            environment["BACKLINE_TICKETMASTER_API_KEY"] = setup.workerKey
            environment.merge(setup.worker) { _, given in given }
            let concerts = ConcertInstallation(base: base, upstream: upstream, workerEnvironment: environment)
            try await base.startGateway()
            for _ in 0..<setup.workers { try await concerts.startWorker() }
            try await base.connected(workers: setup.workers)
            try await body(concerts)
        }
    }

    @discardableResult
    func startWorker() async throws -> ChildProcess {
        try await base.startWorker(environment: workerEnvironment)
    }

    /// Stops all workers, so that new lookups wait.
    func stopWorkers() async throws {
        let workers = base.running("concert-worker")
        for worker in workers { worker.terminate() }
        for worker in workers { try await worker.waitForEnd() }
        try await base.connected(workers: 0)
    }

    func addUser(_ name: String = "ada") async throws -> APIClient {
        try await base.addUser(name)
    }

    /// The requests that the workers have made.
    func calls() async throws -> Int {
        try await upstream.counters().keys[Simulator.key]?.arrivals ?? 0
    }

    /// Makes all stored answers older by `hours`.
    func age(byHours hours: Int) async throws {
        let microseconds = hours * 3_600_000_000
        try await base.withDatabase { database in
            try await database.write { transaction in
                try transaction.run("UPDATE concert_subjects SET checked_at = checked_at - \(microseconds)")
            }
        }
    }

    /// The ids of the events that are stored for an artist.
    func storedEventIDs(ofArtist key: String) async throws -> Set<String> {
        try await base.withDatabase { database in
            try await database.read { reader in
                Set(
                    try reader.rows(
                        "SELECT event_id FROM concert_subject_events WHERE subject_key = \("artist:" + key)"
                    ).map { try $0["event_id"] as String })
            }
        }
    }

    /// The attraction that is stored for an artist.
    func storedAttractionID(ofArtist key: String) async throws -> String? {
        try await base.withDatabase { database in
            try await database.read { reader in
                try reader.row("SELECT attraction_id FROM concert_subjects WHERE subject_key = \("artist:" + key)")
                    .flatMap { try $0["attraction_id"] }
            }
        }
    }
}
