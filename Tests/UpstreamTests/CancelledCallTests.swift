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
        try await CallBench.run(
            limit: PermitLimit(requests: 1, window: .seconds(600)), handler: CallBench.statuses(200)
        ) { bench in
            _ = try await bench.client.send(UpstreamRequest(path: "/"))
            let task = Task { try await bench.client.send(UpstreamRequest(path: "/")) }
            while try await bench.database.read({ try $0.permits.permitStatus() }).first?.waiting != 1 {
                await Task.yield()
            }
            task.cancel()
            await #expect(throws: CancellationError.self) { try await task.value }
            #expect(bench.server.received.count == 1)
        }
    }

    @Test("A call that is cancelled after it was sent returns at once; its answer still frees its slot")
    func cancelledAfterSending() async throws {
        let mayAnswer = DispatchSemaphore(value: 0)
        try await CallBench.run(
            limit: PermitLimit(requests: 1, window: .milliseconds(10)), timeout: .seconds(600),
            handler: { arrival in
                // Blocks the test server's own thread for this connection.
                if arrival.target == "/slow" { mayAnswer.wait() }
                return .answer()
            }
        ) { bench in
            let task = Task { try await bench.client.send(UpstreamRequest(path: "/slow")) }
            _ = await bench.server.arrivals.first { _ in true }
            task.cancel()
            await #expect(throws: CancellationError.self) { try await task.value }
            mayAnswer.signal()
            // Without the answer, the slot would be busy for longer than this test may take.
            try await bench.expectStatus(200)
        }
    }
}
