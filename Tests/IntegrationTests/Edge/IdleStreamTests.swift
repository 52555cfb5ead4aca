import Foundation
import TestProcesses
import TestSupport
import Testing

@Suite("Idle event streams", .timeLimit(.minutes(20)))
struct IdleStreamTests {
    private static let count = longTestsAreWanted ? 10_000 : 2_000
    /// The open files of the gateway, and of the test: one for each stream, and some others.
    private static let files = count + 1_000

    @Test(
        "Thousands of idle streams use little memory each, do not slow requests, and all get a change",
        .enabled(
            if: OpenFiles.areAllowed(files),
            "\(count) streams need \(files) open files; raise the hard limit (ulimit -Hn)"))
    func thousandsOfStreams() async throws {
        OpenFiles.raise()
        let environment = [
            "BACKLINE_QUOTAS_EVENT_STREAMS": "0",
            // Connections through a proxy have no limit per address.
            "BACKLINE_HTTP_TRUSTED_PROXIES": "127.0.0.0/8",
        ]
        try await Installation.run(environment: environment) { installation in
            let (gateway, _) = try await installation.startAll()
            let ada = try await installation.addUser()
            let bob = try await installation.addUser("bob")
            #expect(try await bob.submit(Echo.job(), wait: 30).state == "succeeded")
            let before = ProcessMemory(of: gateway).resident
            let alone = try await Self.latency(of: bob)
            let streams = try await onThread {
                // An address has some 28,000 ports; several addresses leave room for other processes.
                try (0..<Self.count).map { try EventReader(of: ada, from: "127.0.0.\(1 + $0 / 4_000)") }
            }
            try await installation.metrics("the streams") {
                $0.sum("backline_event_streams", [:]) == Double(Self.count)
            }
            let perStream = (ProcessMemory(of: gateway).resident - before) / Self.count
            #expect(perStream < 64 << 10)

            let processor = try await Self.processorSeconds(installation)
            // Keep-alive comments are sent every fifteen seconds.
            let among = try await Self.latency(of: bob)
            let spent = try await Self.processorSeconds(installation) - processor
            print(
                "\(Self.count) streams: \(perStream) bytes each; a request \(alone) alone, \(among) among them; "
                    + "\(spent) s")

            let job = try await ada.submit(Echo.job())
            try await onThread {
                for stream in streams { try stream.waitForEvent(of: job.id) }
            }
            #expect(try await ada.submit(Echo.job(), wait: 30).state == "succeeded")
        }
    }

    /// The median of a hundred requests.
    private static func latency(of client: APIClient) async throws -> Duration {
        var times: [Duration] = []
        for _ in 0..<100 {
            let began = ContinuousClock.now
            #expect(try await client.get("/v1/jobs/summary").status == 200)
            times.append(began.duration(to: .now))
        }
        return times.sorted()[50]
    }

    private static func processorSeconds(_ installation: Installation) async throws -> Double {
        let text = try await installation.visitor.get("/metrics").body
        return try MetricsText(String(decoding: text, as: UTF8.self))
            .sum("process_cpu_seconds_total", ["process": "api-gateway"])
    }
}

extension EventReader {
    /// Reads until an event of a job arrives.
    func waitForEvent(of job: String) throws {
        var text = EventText()
        while text.states[job] == nil {
            let bytes = try receive()
            guard !bytes.isEmpty else { throw UnexpectedAnswer(description: "the stream ended") }
            text.read(bytes)
        }
    }
}
