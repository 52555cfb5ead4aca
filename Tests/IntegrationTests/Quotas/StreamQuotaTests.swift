import Testing
import TestProcesses

@Suite("How many event streams one person may have", .timeLimit(.minutes(3)))
struct StreamQuotaTests {
    @Test("one too many is refused; a client that goes makes room at once, though nothing happens on its stream")
    func streams() async throws {
        try await Installation.run(environment: ["BACKLINE_QUOTAS_EVENT_STREAMS": "3"]) { installation in
            try await installation.startGateway()
            let (ada, bob) = (try await installation.addUser("ada"), try await installation.addUser("bob"))
            var open: [EventStream] = []
            for _ in 0..<3 { open.append(try await EventStream.open(ada)) }
            #expect(try await ada.get("/v1/events").reachedQuota == "quotas.eventStreams")
            #expect(try await ada.quotas().eventStreams == QuotaView(used: 3, limit: 3))
            let others = try await EventStream.open(bob)
            // As pages do that are loaded again. A stream that lived on until its next comment would keep each of
            // these waiting for up to fifteen seconds.
            for _ in 0..<40 {
                open.removeFirst().close()
                try await eventually("room for a stream") { try await ada.quotas().eventStreams.used == 2 }
                open.append(try await EventStream.open(ada))
            }
            let job = try await ada.submit(Echo.job(1))
            for stream in open { try await stream.job(job.id, reaches: "queued") }
            for stream in open + [others] { stream.close() }
        }
    }
}
