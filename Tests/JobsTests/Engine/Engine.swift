import Contracts
import Domains
import JobStorage
import Logging
import Model
import Storage
import Synchronization
import TestSupport

@testable import Jobs

extension JobKind {
    static let test = JobKind(name: "test.kind", version: 1, submitter: .user, maximumRunTime: .seconds(60))
    static let diagnosticsEcho = TypedJobKind.diagnosticsEcho.kind
    static let diagnosticsSteps = TypedJobKind.diagnosticsSteps.kind
}

/// A gateway's dispatcher and workers in one process, with a real database, and a ``Line`` instead of sockets.
final class Engine: Sendable {
    /// Short times, so that recovery after a lease is quick. The lease is many heartbeats long: on a busy machine a
    /// task may be delayed by tenths of a second, and a living worker must not count as dead then.
    static let settings = JobSettings(lease: .seconds(2), heartbeat: .milliseconds(80), maximumAttempts: 3)

    let database: Database
    let line: Line
    let settings: JobSettings
    private let kinds: JobKinds
    private let gateway: Mutex<Gateway>
    private let workers = Mutex<[String: Worker]>([:])

    private struct Gateway {
        var queue: JobQueue
        var upkeep: Task<Void, Never>
    }

    private struct Worker {
        var runtime: WorkerRuntime
        var heartbeats: Task<Void, Never>
    }

    private init(database: Database, settings: JobSettings, kinds: JobKinds, faults: UInt64?) async throws {
        self.database = database
        self.settings = settings
        self.kinds = kinds
        line = Line(faults: faults)
        gateway = Mutex(try await Self.makeGateway(database, settings, kinds))
        connectGateway()
    }

    /// Runs `body` with an engine without workers, and stops the engine.
    ///
    /// - Parameter kinds: the kinds that the gateway knows.
    static func run(
        settings: JobSettings = Engine.settings, kinds: JobKinds = JobKinds(of: .tested), faults: UInt64? = nil,
        _ body: (Engine) async throws -> Void
    ) async throws {
        try await withDatabase { database, _ in
            try await database.write {
                try $0.run("CREATE TABLE effects (number INTEGER PRIMARY KEY, job_id TEXT NOT NULL)")
            }
            let engine = try await Engine(database: database, settings: settings, kinds: kinds, faults: faults)
            try await running {
                try await body(engine)
            } thenAlways: {
                await engine.stop()
            }
        }
    }

    static let logger = Logger.silent

    // MARK: The gateway

    private static func makeGateway(
        _ database: Database, _ settings: JobSettings, _ kinds: JobKinds
    ) async throws -> Gateway {
        let events = JobEvents()
        let dispatcher = Dispatcher(
            database: database, events: events, settings: settings, kinds: kinds, logger: logger)
        try await dispatcher.load()
        return Gateway(
            queue: JobQueue(database: database, dispatcher: dispatcher, events: events),
            upkeep: Task { await dispatcher.runUpkeep() })
    }

    private func connectGateway() {
        queue.dispatcher.connect { [weak self] frame, instance in
            self?.line.carry(worker: instance) { [weak self] in self?.runtime(instance)?.receive(frame) }
        }
    }

    var queue: JobQueue { gateway.withLock { $0.queue } }

    /// Restarts the gateway as after a crash.
    func restartGateway() async throws {
        queue.dispatcher.connect { _, _ in }
        let upkeep = gateway.withLock { $0.upkeep }
        upkeep.cancel()
        await upkeep.value
        let next = try await Self.makeGateway(database, settings, kinds)
        gateway.withLock { $0 = next }
        connectGateway()
    }

    // MARK: Workers

    /// Starts a worker; returns its instance.
    @discardableResult
    func startWorker(
        _ name: String, concurrency: Int = 4, handlers: [JobHandler],
        hasNewCredential: @escaping HasNewCredential = { _, _, _, _, _ in false }
    ) -> String {
        let instance = WorkerInstance.make(name: name)
        let runtime = WorkerRuntime(
            name: name, instance: instance, processID: 1, handlers: handlers, concurrency: concurrency,
            database: database,
            settings: settings, hasNewCredential: hasNewCredential, logger: Self.logger)
        let heartbeats = Task { await runtime.runHeartbeats() }
        workers.withLock { $0[instance] = Worker(runtime: runtime, heartbeats: heartbeats) }
        runtime.connect { [weak self] frame in
            self?.line.carry(worker: instance) { [weak self] in self?.queue.dispatcher.receive(frame, from: instance) }
        } reconnect: {
        }
        return instance
    }

    func runtime(_ instance: String) -> WorkerRuntime? { workers.withLock { $0[instance]?.runtime } }

    private func stop() async {
        let (workers, gateway) = (workers.withLock { $0 }, gateway.withLock { $0 })
        for instance in workers.keys { line.cut(instance) }
        gateway.upkeep.cancel()
        await gateway.upkeep.value
        gateway.queue.events.close()
        for worker in workers.values {
            worker.heartbeats.cancel()
            for task in worker.runtime.load.withLock({ $0.removeRunning() }) { task.task?.cancel() }
            await worker.heartbeats.value
        }
    }

    // MARK: Observations

    /// Waits until the user's counters satisfy a condition.
    func untilCounts(_ isSatisfied: ([JobState: Int]) -> Bool) async throws {
        let stream = queue.events.stream(userID: "u")
        if isSatisfied(try await counts()) { return }
        for await _ in stream where isSatisfied(try await counts()) { return }
    }

    func counts() async throws -> [JobState: Int] {
        try await database.read { try $0.jobs.jobCounts(userID: "u") }.filter { $0.value != 0 }
    }

    func job(_ id: String) async throws -> JobRecord? {
        try await database.read { try $0.jobs.job(id: id, userID: "u") }
    }

    /// How often each job had its effect.
    func effects() async throws -> [String: Int] {
        let ids = try await database.read {
            try $0.rows("SELECT job_id FROM effects").map { try $0["job_id"] as String }
        }
        return Dictionary(grouping: ids) { $0 }.mapValues(\.count)
    }

    func submit(_ count: Int = 1, kind: JobKind = .test, payload: String = "{}") async throws -> [String] {
        let jobs = (0..<count).map { _ in NewJob(kind: kind, payload: payload) }
        return try await queue.submit(jobs, userID: "u").ids
    }
}

extension JobResult<String> {
    /// An outcome with an effect that can be counted.
    static func effect(of job: AssignedJob, result: String = "{}") -> JobResult<String> {
        JobResult(result) { transaction, _ in
            try transaction.run("INSERT INTO effects (job_id) VALUES (\(job.run.jobID))")
        }
    }
}
