import Contracts
import Domains
import JobStorage
import Model
import Storage
import Synchronization
import TestSupport
import Testing

@testable import Jobs

/// A domain that the engine does not know.
extension ChangeTopic {
    fileprivate static let test = ChangeTopic("test")
}

@Suite("Signals to waiters and event streams", .timeLimit(.minutes(5)))
struct SignalTests {
    private let system = JobKind(name: "test.system", version: 1, submitter: .system, maximumRunTime: .seconds(60))

    /// How often each stream was signalled, by person; a stream reads as often.
    private final class Readers: Sendable {
        private let counts = Mutex<[String: Int]>([:])
        private let tasks = Mutex<[Task<Void, Never>]>([])

        func open(_ userID: String, on events: JobEvents) {
            let stream = events.stream(userID: userID)
            let task = Task { [self] in
                for await signal in stream where signal.hasChanged {
                    counts.withLock { $0[userID, default: 0] += 1 }
                }
            }
            tasks.withLock { $0.append(task) }
        }

        var all: [String: Int] { counts.withLock { $0 } }

        /// Waits until the gateway has ended the streams.
        func ended() async {
            for task in tasks.withLock({ $0 }) { await task.value }
        }
    }

    @Test("A hundred system jobs for one of 200 people wake none of the 1,990 streams of the others")
    func systemJobs() async throws {
        try await Engine.run { engine in
            let readers = Readers()
            for person in 0..<200 {
                for _ in 0..<10 { readers.open("user\(person)", on: engine.queue.events) }
            }
            let ended = Collector<String>()
            engine.startWorker(
                "w1",
                handlers: [
                    JobHandler(system) { context in
                        let id = context.job.run.jobID
                        return JobResult("{}") { transaction, _ in
                            transaction.recordChange(of: ["user7"], topic: .test)
                            ended.append(id)
                        }
                    }
                ])
            let waiters = try await withThrowingTaskGroup(of: JobRecord?.self) { group in
                for _ in 0..<100 {
                    group.addTask { [system] in
                        let id = try await engine.queue.submit(
                            [NewJob(kind: system, payload: "{}")], userID: SystemUser.id
                        ).ids[0]
                        return try await engine.queue.finished(id, userID: SystemUser.id, within: .seconds(60))
                    }
                }
                return try await group.reduce(into: [JobRecord?]()) { $0.append($1) }
            }
            #expect(waiters.count == 100 && waiters.allSatisfy { $0?.state == .succeeded })
            // The poll runs too.
            try await engine.queue.dispatcher.pollChanges()
            engine.queue.events.close()
            await readers.ended()
            #expect(Set(readers.all.keys) == ["user7"])
        }
    }

    /// A gateway and a worker with separate connections to one database, like two processes. No periodic work runs.
    private func withTwoProcesses(
        losesChanged: Bool,
        _ body: (_ gateway: Dispatcher, _ events: JobEvents, _ worker: Database) async throws -> Void
    ) async throws {
        try await withDatabase { database, folder in
            let ofWorker = try Database.open(path: folder.file("test.sqlite"), schema: database.schema)
            defer { ofWorker.close() }
            let events = JobEvents()
            let dispatcher = Dispatcher(
                database: database, events: events, settings: Engine.settings, kinds: JobKinds(of: .tested),
                logger: Engine.logger)
            try await dispatcher.load()
            let runtime = WorkerRuntime(
                name: "w1", instance: WorkerInstance.make(name: "w1"), processID: 1, handlers: [], concurrency: 1,
                database: ofWorker, settings: Engine.settings, hasNewCredential: { _, _, _, _, _ in false },
                logger: Engine.logger)
            runtime.connect { frame in
                if losesChanged, frame.first == WorkerMessage.MessageType.changed.rawValue { return }
                dispatcher.receive(frame, from: "w1")
            } reconnect: {
            }
            try await body(dispatcher, events, ofWorker)
            events.close()
        }
    }

    @Test("A worker's message wakes the people whose rows it wrote, however many, and nobody else")
    func messageWakesAffectedPeople() async throws {
        try await withTwoProcesses(losesChanged: false) { _, events, worker in
            let many = (0..<1_200).map { "user\($0)" }
            let waiters = (many + ["other"]).map { events.waiter(forUser: $0) }
            try await worker.write { $0.recordChange(of: many, topic: .test) }
            let farOff = ContinuousClock.now.advanced(by: .seconds(3_600))
            // No poll runs: the message wakes them.
            for waiter in waiters.dropLast() { await waiter.wait(until: farOff) }
            let deadline = ContinuousClock.now.advanced(by: .milliseconds(50))
            await waiters[1_200].wait(until: deadline)
            #expect(ContinuousClock.now >= deadline)
        }
    }

    @Test("After a lost message the next poll wakes only the affected people, once")
    func lostMessage() async throws {
        try await withTwoProcesses(losesChanged: true) { dispatcher, events, worker in
            let (concerned, other) = (events.stream(userID: "a"), events.stream(userID: "b"))
            try await worker.write { $0.recordChange(of: ["a"], topic: .test) }
            let told = Collector<String>()
            let tasks = [("a", concerned), ("b", other)].map { user, stream in
                Task { for await signal in stream where signal.hasChanged { told.append(user) } }
            }
            #expect(told.elements.isEmpty)
            try await dispatcher.pollChanges()
            #expect(await told.wait(for: 1) == ["a"])
            try await dispatcher.pollChanges()
            // The same goes for a job of the other person, whoever wrote it.
            let job = JobInsertion(
                id: "1", userID: "b", kind: "test.kind", version: 1, payload: "{}", priority: 0, maximumAttempts: 1,
                createdAt: .now(), runAt: .now())
            try await worker.write { try $0.jobs.insert(job) }
            try await dispatcher.pollChanges()
            #expect(await told.wait(for: 2) == ["a", "b"])
            events.close()
            for task in tasks { await task.value }
            #expect(told.elements == ["a", "b"])
        }
    }

    @Test("A change of an author wakes those who follow the author, found when it happens or by the next poll")
    func changedAuthors() async throws {
        try await withTwoProcesses(losesChanged: false) { dispatcher, events, worker in
            let follows: [Int64: Set<String>] = [1: ["a"], 2: ["a", "b"]]
            let asked = Collector<Set<Int64>>()
            dispatcher.findFollowers { authors, people, _ in
                asked.append(authors)
                return authors.reduce(into: []) { $0.formUnion(follows[$1, default: []].intersection(people)) }
            }
            let told = Collector<String>()
            let tasks = ["a", "b", "c"].map { user in
                let stream = events.stream(userID: user)
                return Task { for await signal in stream where signal.hasChanged { told.append(user) } }
            }
            // In the gateway's own process.
            try await dispatcher.database.write { $0.recordChange(ofAuthor: 2) }
            #expect(Set(await told.wait(for: 2)) == ["a", "b"] && asked.elements == [[2]])
            // In another process, which sends no message about authors.
            try await worker.write { $0.recordChange(ofAuthor: 1) }
            try await dispatcher.pollChanges()
            #expect(await asked.wait(for: 2).last?.contains(1) == true)
            // The poll also finds the earlier change, which these streams have not read.
            #expect(Set(await told.wait(for: 4).suffix(2)) == ["a", "b"])
            try await dispatcher.pollChanges()
            events.close()
            for task in tasks { await task.value }
            #expect(told.elements.count == 4 && !told.elements.contains("c"))
        }
    }
}
