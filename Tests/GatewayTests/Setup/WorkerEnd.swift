import Composition
import Contracts
import Domains
import Jobs
import Logging
import Storage
import TestSupport

/// A queue with a worker in the same process, over a real database, with a ``Line`` instead of sockets.
final class WorkerEnd: Sendable {
    let queue: JobQueue
    private let instance = WorkerInstance.make(name: "w1")
    private let line = Line()
    private let runtime: WorkerRuntime
    private let tasks: [Task<Void, Never>]

    private static let settings = JobSettings()

    /// Runs `body` with a worker, and stops the worker afterwards.
    static func run(
        database: Database, handlers: [JobHandler], _ body: (WorkerEnd) async throws -> Void
    ) async throws {
        let worker = try await WorkerEnd(database: database, handlers: handlers)
        try await running {
            try await body(worker)
        } thenAlways: {
            await worker.stop()
        }
    }

    /// - Parameter handlers: the worker's handlers; it gets no other jobs.
    private init(database: Database, handlers: [JobHandler]) async throws {
        let (instance, line) = (instance, line)
        let logger = Logger.silent
        let events = JobEvents()
        let dispatcher = Dispatcher(
            database: database, events: events, settings: Self.settings, kinds: JobKinds(of: .all), logger: logger)
        try await dispatcher.load()
        queue = JobQueue(database: database, dispatcher: dispatcher, events: events)
        let runtime = WorkerRuntime(
            name: "w1", instance: instance, processID: 1, handlers: handlers, concurrency: 4, database: database,
            settings: Self.settings, hasNewCredential: { _, _, _, _, _ in false }, logger: logger)
        self.runtime = runtime
        tasks = [Task { await dispatcher.runUpkeep() }, Task { await runtime.runHeartbeats() }]
        dispatcher.connect { frame, instance in line.carry(worker: instance) { runtime.receive(frame) } }
        runtime.connect { frame in
            line.carry(worker: instance) { dispatcher.receive(frame, from: instance) }
        } reconnect: {
        }
    }

    /// Stops the worker and the gateway's queue.
    func stop() async {
        await runtime.drain(grace: .zero)
        line.cut(instance)
        queue.events.close()
        for task in tasks { task.cancel() }
        for task in tasks { await task.value }
    }
}
