import Pictures
import Synchronization
import TestSupport
import Testing

@testable import Gateway
@testable import PicturesHTTP

@Suite("Pictures that pages wait for", .timeLimit(.minutes(1)))
struct PictureFetchesTests {
    /// Fetches whose jobs end when a test says so.
    private final class Fixture: Sendable {
        let jobs = Collector<[String]>()
        let cancelled = Collector<[String]>()
        private let end = End()
        /// Whether a worker fetches pictures.
        private let worker = Flag()
        let fetches: PictureFetches

        init() {
            let (jobs, cancelled, end, worker) = (jobs, cancelled, end, worker)
            fetches = PictureFetches(hasWorker: { worker.isSet }) { items, userID in
                let names = items.map(\.address)
                jobs.append([userID] + names)
                for await _ in end.stream() {}
                if Task.isCancelled { cancelled.append(names) }
                try Task.checkCancellation()
            }
        }

        func endJobs() { end.come() }

        func connectWorker(_ isConnected: Bool) { worker.isSet = isConnected }

        func ask(_ name: String, by userID: String = "ada") -> Task<Void, any Error> {
            Task { [fetches] in try await fetches.fetched(.init(address: name, acceptsWebP: true), for: userID) }
        }

        /// Begins a request, and waits until it is counted.
        func begin(_ name: String, by userID: String = "ada") async -> Task<Void, any Error> {
            let before = fetches.waitingCount
            let task = ask(name, by: userID)
            while fetches.waitingCount == before { await Task.yield() }
            return task
        }
    }

    private final class Flag: Sendable {
        private let value = Mutex(true)
        var isSet: Bool {
            get { value.withLock { $0 } }
            set { value.withLock { $0 = newValue } }
        }
    }

    /// The signal that jobs wait for.
    private final class End: Sendable {
        private struct State {
            var hasCome = false
            var waiting: [AsyncStream<Void>.Continuation] = []
        }

        private let state = Mutex(State())

        /// A stream that ends when it comes.
        func stream() -> AsyncStream<Void> {
            let (stream, continuation) = AsyncStream.makeStream(of: Void.self)
            let hasCome = state.withLock { state in
                state.waiting.append(continuation)
                return state.hasCome
            }
            if hasCome { continuation.finish() }
            return stream
        }

        func come() {
            let waiting = state.withLock { state in
                state.hasCome = true
                return state.waiting
            }
            for continuation in waiting { continuation.finish() }
        }
    }

    @Test("Many requests for one picture share its fetch, whoever makes them")
    func sharedFetches() async throws {
        let fixture = Fixture()
        var tasks: [Task<Void, any Error>] = []
        for number in 0..<20 { tasks.append(await fixture.begin("a", by: number % 2 == 0 ? "ada" : "bob")) }
        fixture.endJobs()
        for task in tasks { try await task.value }
        #expect(fixture.jobs.elements == [["ada", "a"]])
        #expect(fixture.fetches.waitingCount == 0)
    }

    @Test("Pictures that a person requests while their jobs run go into the next job together")
    func batchedPictures() async throws {
        let fixture = Fixture()
        let first = PictureBatch.jobsPerPerson
        var tasks: [Task<Void, any Error>] = []
        for number in 0..<first + 10 { tasks.append(await fixture.begin("\(number)")) }
        // Another person's requests do not wait for them.
        tasks.append(await fixture.begin("other", by: "bob"))
        await fixture.jobs.wait(for: first + 1)
        fixture.endJobs()
        for task in tasks { try await task.value }
        let jobs = fixture.jobs.elements.filter { $0[0] == "ada" }.map { Array($0.dropFirst()) }
        #expect(jobs.prefix(first).allSatisfy { $0.count == 1 } && jobs.count == first + 2)
        #expect(jobs.dropFirst(first).map(\.count).sorted() == [2, PictureBatch.capacity])
    }

    @Test("A request that ends leaves its queue, and a job that nobody waits for is cancelled")
    func endedRequests() async throws {
        let fixture = Fixture()
        var running: [Task<Void, any Error>] = []
        for number in 0..<PictureBatch.jobsPerPerson { running.append(await fixture.begin("\(number)")) }
        let waiting = await fixture.begin("scrolled past")
        await fixture.jobs.wait(for: PictureBatch.jobsPerPerson)
        waiting.cancel()
        await #expect(throws: CancellationError.self) { try await waiting.value }
        let second = await fixture.begin("0", by: "bob")
        running[0].cancel()
        await #expect(throws: CancellationError.self) { try await running[0].value }
        #expect(fixture.cancelled.elements == [])
        running[1].cancel()
        await #expect(throws: CancellationError.self) { try await running[1].value }
        await fixture.cancelled.wait(for: 1)
        #expect(fixture.cancelled.elements == [["1"]])
        fixture.endJobs()
        try await second.value
        for task in running.dropFirst(2) { try await task.value }
        #expect(!fixture.jobs.elements.joined().contains("scrolled past"))
        #expect(fixture.fetches.waitingCount == 0)
    }

    @Test("Nobody waits while no worker fetches pictures, and waits end when the last one leaves")
    func withoutWorker() async throws {
        let fixture = Fixture()
        fixture.connectWorker(false)
        await #expect(throws: NoPictureWorker.self) { try await fixture.ask("a").value }
        fixture.connectWorker(true)
        var tasks: [Task<Void, any Error>] = []
        for number in 0..<PictureBatch.jobsPerPerson + 2 { tasks.append(await fixture.begin("\(number)")) }
        await fixture.jobs.wait(for: PictureBatch.jobsPerPerson)
        fixture.fetches.endWithoutWorker()
        #expect(fixture.fetches.waitingCount == tasks.count)
        fixture.connectWorker(false)
        fixture.fetches.endWithoutWorker()
        for task in tasks { await #expect(throws: NoPictureWorker.self) { try await task.value } }
        #expect(fixture.fetches.waitingCount == 0)
        fixture.endJobs()
        await fixture.cancelled.wait(for: PictureBatch.jobsPerPerson)
        fixture.connectWorker(true)
        try await fixture.ask("0").value
        #expect(fixture.jobs.elements.last == ["ada", "0"])
    }

    @Test("A person's pages wait for a limited number of pictures")
    func limitOfAPerson() async throws {
        let fixture = Fixture()
        var tasks: [Task<Void, any Error>] = []
        for number in 0..<PictureBatch.picturesPerPerson { tasks.append(await fixture.begin("\(number)")) }
        await #expect(throws: TooManyPictures.self) { try await fixture.ask("one more").value }
        tasks.append(await fixture.begin("other", by: "bob"))
        fixture.endJobs()
        for task in tasks { try await task.value }
        try await fixture.ask("later").value
    }
}
