import TestProcesses
import TestSupport
import Testing

@Suite("The quota of event streams", .timeLimit(.minutes(20)))
struct StreamQuotaTests {
    @Test("One too many is refused; a client that disconnects makes room at once, even if its stream is idle")
    func streamsBeyondTheQuota() async throws {
        try await Installation.run(environment: ["BACKLINE_QUOTAS_EVENT_STREAMS": "3"]) { installation in
            try await installation.startGateway()
            let (ada, bob) = (try await installation.addUser("ada"), try await installation.addUser("bob"))
            let others = try await EventStream.open(bob)
            var open: [RawConnection] = []
            for _ in 0..<3 { open.append(try await Self.stream(ada)) }
            #expect(try await ada.get("/v1/events").reachedQuota == "quotas.eventStreams")
            #expect(try await ada.quotas().eventStreams == QuotaView(used: 3, limit: 3))
            // This is like reloading a page. If a stream were only closed at its next comment, each of these would wait
            // for up to fifteen seconds.
            for _ in 0..<40 {
                open.removeFirst().hangUp()
                try await eventually("room for a stream") { try await ada.quotas().eventStreams.used == 2 }
                open.append(try await Self.stream(ada))
            }
            for connection in open { connection.hangUp() }
            try await eventually("room for all streams") { try await ada.quotas().eventStreams.used == 0 }
            let last = try await EventStream.open(ada)
            let job = try await ada.submit(Echo.job(1))
            try await last.job(job.id, reaches: "queued")
            #expect(others.events.isEmpty)
            for stream in [last, others] { stream.close() }
        }
    }

    @Test("A person who opens streams without a pause has to wait, and another person does not")
    func streamsWithoutAPause() async throws {
        try await Installation.run(environment: ["BACKLINE_QUOTAS_EVENT_STREAMS": "1"]) { installation in
            try await installation.startGateway()
            let (ada, bob) = (try await installation.addUser("ada"), try await installation.addUser("bob"))
            // Each of them adds a second to the time that the next one waits, whether or not it was begun. Eventually
            // that time is longer than the other person's stream takes to begin on a busy machine.
            let began = ContinuousClock.now
            var count = 0
            while began.duration(to: .now) > .seconds(count - 30) {
                count += 1
                let connection = try Self.request(ada)
                try await eventually("the stream") { try await ada.quotas().eventStreams.used == 1 }
                connection.hangUp()
                try await eventually("room for a stream") { try await ada.quotas().eventStreams.used == 0 }
            }
            let late = try Self.request(ada)
            try await eventually("the last stream") { try await ada.quotas().eventStreams.used == 1 }
            let begun = Collector<Void>()
            let waiting = Task {
                try await Self.untilBegun(late)
                begun.append(())
            }
            let others = try await Self.stream(bob)
            #expect(try await bob.quotas().eventStreams.used == 1)
            #expect(begun.elements.isEmpty)
            for connection in [late, others] { connection.hangUp() }
            // It fails, since its connection ends before the first line.
            _ = await waiting.result
        }
    }

    /// Opens a stream on a connection of its own, and returns after its first line. An HTTP client may keep the
    /// connection of a cancelled request for a while, and these tests are about the moment when it closes.
    private static func stream(_ client: APIClient) async throws -> RawConnection {
        let connection = try request(client)
        try await untilBegun(connection)
        return connection
    }

    private static func request(_ client: APIClient) throws -> RawConnection {
        let connection = try RawConnection(to: client.baseURL)
        connection.send(
            "GET /v1/events HTTP/1.1\r\nHost: backline\r\nAuthorization: Bearer \(client.token ?? "")\r\n\r\n")
        return connection
    }

    private static func untilBegun(_ connection: RawConnection) async throws {
        try await onThread {
            var text = ""
            while !text.contains(": stream of changes") {
                let bytes = try connection.receive()
                if bytes.isEmpty { throw UnexpectedAnswer(description: "no event stream: \(text)") }
                text += String(decoding: bytes, as: UTF8.self)
            }
        }
    }
}
