import Model
import PermitStorage
import Synchronization
import Testing

@testable import Upstream

@Suite("Writes that are recorded before they are sent", .timeLimit(.minutes(5)))
struct WriteAdmissionTests {
    private func post() -> UpstreamRequest { UpstreamRequest(method: .post, path: "/write") }

    @Test("A write is recorded once it has its permit, before it is sent, and only once for all its requests")
    func recordedBeforeSending() async throws {
        let notes = Mutex(0)
        let notesAtArrival = Mutex<[Int]>([])
        try await CallFixture.run(
            limit: PermitLimit(requests: 1, window: .milliseconds(10)), timeout: .seconds(600),
            handler: { _ in
                let count = notes.withLock { $0 }
                notesAtArrival.withLock { $0.append(count) }
                return .answer()
            }
        ) { fixture in
            let admission = WriteAdmission(window: .seconds(600)) { notes.withLock { $0 += 1 } }
            let held = try await fixture.acquire()
            let write = Task {
                try await WriteAdmission.$current.withValue(admission) { () async throws -> Void in
                    _ = try await fixture.client.send(post())
                    _ = try await fixture.client.send(post())
                }
            }
            while try await fixture.database.read({ try $0.permits.permitStatus() }).first?.waiting != 1 {
                await Task.yield()
            }
            // It waits for its permit, and nothing says that it may have been sent.
            #expect(notes.withLock { $0 } == 0 && !admission.hasBegun)
            await fixture.client.permits.release(held, RequestEnd(at: .now()))
            try await write.value
            #expect(notesAtArrival.withLock { $0 } == [1, 1])
        }
    }

    @Test("A request does not begin if the time after the record has passed, and nothing is sent")
    func tooLate() async throws {
        try await CallFixture.run(handler: CallFixture.statuses(200)) { fixture in
            // The process stalls while it records the write.
            let admission = WriteAdmission(window: .zero) {}
            await #expect(throws: UpstreamError.tooLate) {
                try await WriteAdmission.$current.withValue(admission) { _ = try await fixture.client.send(post()) }
            }
            #expect(fixture.server.received.isEmpty)
            let failure = ProviderFailure(UpstreamError.tooLate, of: .spotify)
            #expect(failure.outcome == .notSent && failure.recovery == .retryAt && failure.until != nil)
            // This is unrelated to the service and the connection to it.
            #expect(failure.message.contains("was not sent") && !failure.message.contains("connection"))
            // The permit was returned, and other calls are not held up.
            try await fixture.expectStatus(200, .post)
        }
    }

    @Test("If two requests record a write at once, the first sets the time, and the second does not extend it")
    func atOnce() async throws {
        let window = Duration.seconds(600)
        let (noting, second) = (AsyncStream.makeStream(of: Void.self), AsyncStream.makeStream(of: Void.self))
        let first = Mutex<MonotonicInstant?>(nil)
        let admission = WriteAdmission(window: window) {
            let isFirst = first.withLock { first in
                if first != nil { return false }
                first = .now()
                return true
            }
            if isFirst {
                // Until the second one has arrived.
                for await _ in noting.stream { break }
            } else {
                noting.continuation.yield()
                for await _ in second.stream { break }
            }
        }
        try await withThrowingTaskGroup { group in
            group.addTask { try await admission.begin() }
            var noted: MonotonicInstant?
            while noted == nil {
                await Task.yield()
                noted = first.withLock { $0 }
            }
            let moment = try #require(noted)
            while MonotonicInstant.now() <= moment { await Task.yield() }
            group.addTask { try await admission.begin() }
            while !admission.hasBegun { await Task.yield() }
            second.continuation.yield()
            try await group.waitForAll()
            #expect(!admission.admits(at: moment.advanced(by: window)))
        }
    }

    @Test("If recording fails, nothing is sent, and the call throws the error")
    func refusedNote() async throws {
        struct RefusalError: Error {}
        try await CallFixture.run(handler: CallFixture.statuses(200)) { fixture in
            let admission = WriteAdmission(window: .seconds(600)) { throw RefusalError() }
            await #expect(throws: RefusalError.self) {
                try await WriteAdmission.$current.withValue(admission) { _ = try await fixture.client.send(post()) }
            }
            #expect(fixture.server.received.isEmpty && !admission.hasBegun)
        }
    }

    @Test("Requests that only read, and those for tokens, are not part of a write")
    func requestsThatWriteNothing() async throws {
        let admission = WriteAdmission(window: .seconds(1)) {}
        WriteAdmission.$current.withValue(admission) {
            #expect(UpstreamRequest(path: "/").admission == nil)
            #expect(UpstreamRequest.form(path: "/token", []).admission == nil)
            #expect(UpstreamRequest(method: .delete, path: "/").admission === admission)
        }
        #expect(UpstreamRequest(method: .post, path: "/").admission == nil)
    }
}
