import TestProcesses
import Testing

@Suite("The quota of event streams", .timeLimit(.minutes(3)))
struct StreamQuotaTests {
    @Test("one too many is refused; a client that disconnects makes room at once, though its stream is idle")
    func streams() async throws {
        try await Installation.run(environment: ["BACKLINE_QUOTAS_EVENT_STREAMS": "3"]) { installation in
            try await installation.startGateway()
            let (ada, bob) = (try await installation.addUser("ada"), try await installation.addUser("bob"))
            var open: [EventStream] = []
            for _ in 0..<3 { open.append(try await EventStream.open(ada)) }
            #expect(try await ada.get("/v1/events").reachedQuota == "quotas.eventStreams")
            #expect(try await ada.quotas().eventStreams == QuotaView(used: 3, limit: 3))
            let others = try await EventStream.open(bob)
            // As when a page is reloaded. If a stream were only closed at its next comment, each of these would wait
            // for up to fifteen seconds.
            for _ in 0..<40 {
                let left = open.removeFirst()
                left.close()
                var used: Int?
                do {
                    try await eventually("room for a stream") {
                        used = try await ada.quotas().eventStreams.used
                        return used == 2
                    }
                } catch let error as WaitedInVain {
                    let ended = (open + [left]).map(\.hasEnded)
                    throw WaitedInVain(description: "\(error) \(used ?? -1) are open; ended for the client: \(ended)")
                }
                open.append(try await EventStream.open(ada))
            }
            let job = try await ada.submit(Echo.job(1))
            for stream in open { try await stream.job(job.id, reaches: "queued") }
            for stream in open + [others] { stream.close() }
        }
    }
}
