import Dispatch
import Model
import PermitStorage
import Storage
import Testing

@testable import Upstream

@Suite("Cancelled calls", .timeLimit(.minutes(5)))
struct CancelledCallTests {
    @Test("A call that is cancelled while it waits for a permit sends nothing")
    func cancelledWhileWaiting() async throws {
        try await CallFixture.run(
            limit: PermitLimit(requests: 1, window: .seconds(600)), handler: CallFixture.statuses(200)
        ) { fixture in
            _ = try await fixture.client.send(UpstreamRequest(path: "/"))
            let task = Task { try await fixture.client.send(UpstreamRequest(path: "/")) }
            while try await fixture.database.read({ try $0.permits.permitStatus() }).first?.waiting != 1 {
                await Task.yield()
            }
            task.cancel()
            await #expect(throws: CancellationError.self) { try await task.value }
            #expect(fixture.server.received.count == 1)
        }
    }

    @Test("A call that is cancelled after it was sent returns at once; its answer still frees its slot")
    func cancelledAfterSending() async throws {
        let mayAnswer = DispatchSemaphore(value: 0)
        try await CallFixture.run(
            limit: PermitLimit(requests: 1, window: .milliseconds(10)), timeout: .seconds(600),
            handler: { arrival in
                // Blocks the test server's own thread for this connection.
                if arrival.target == "/slow" { mayAnswer.wait() }
                return .answer()
            }
        ) { fixture in
            let task = Task { try await fixture.client.send(UpstreamRequest(path: "/slow")) }
            _ = await fixture.server.arrivals.first { _ in true }
            task.cancel()
            await #expect(throws: CancellationError.self) { try await task.value }
            mayAnswer.signal()
            // Without the answer, the slot would be busy for longer than this test may take.
            try await fixture.expectStatus(200)
        }
    }
}
