import Foundation
import Synchronization
import TestProcesses
import TestSupport
import Testing

@Suite("Slow readers of events", .timeLimit(.minutes(20)))
struct SlowReaderTests {
    /// Jobs with results of four kilobytes.
    private static func batch(_ count: Int) -> String {
        let filler = String(repeating: "x", count: 4_096)
        let job = "{\"kind\":\"diagnostics.echo\",\"payload\":\"\(filler)\"}"
        return "{\"jobs\":[\(Array(repeating: job, count: count).joined(separator: ","))]}"
    }

    private static let jobCount = longTestsAreWanted ? 50_000 : 5_000
    /// The size of a batch, which keeps it below a mebibyte.
    private static let batchSize = 200

    @Test("A stream that nobody reads uses little memory, delays nobody, and later gets the latest state")
    func neverReading() async throws {
        try await Installation.run(environment: ["BACKLINE_HTTP_WRITE_TIMEOUT_SECONDS": "3600"]) { installation in
            let (gateway, _) = try await installation.startAll(concurrency: 64)
            let ada = try await installation.addUser()
            let readers = try (0..<2).map { _ in try EventReader(of: ada) }
            let reading = Task { try await readers[0].read { $0.count >= Self.jobCount + 1_000 } }
            // The gateway first does the same work without a slow reader, so that its own memory does not count.
            for _ in 0..<(1_000 / Self.batchSize) { _ = try await ada.submitBatch(Self.batch(Self.batchSize)) }
            try await ada.allEnded()
            let slow = try EventReader(of: ada)
            let before = ProcessMemory(of: gateway).resident
            var jobs: [String] = []
            while jobs.count < Self.jobCount { jobs += try await ada.submitBatch(Self.batch(Self.batchSize)) }
            try await ada.allEnded(within: .seconds(480))
            let states = try await reading.value
            #expect(jobs.allSatisfy { states[$0] == "succeeded" })
            // Two streams that nobody reads. Buffered events would take more than twice the results.
            let growth = ProcessMemory(of: gateway).resident - before
            print("\(Self.jobCount) jobs and two streams that nobody read: \(growth >> 10) KiB more")
            #expect(growth < Self.jobCount * 4_096)

            // The stream is late but still open.
            let late = try await slow.read { [jobs] states in jobs.allSatisfy { states[$0] == "succeeded" } }
            #expect(late.count == jobs.count)
            withExtendedLifetime(readers) {}
        }
    }
}

/// A connection with an event stream that the test reads on demand.
final class EventReader: Sendable {
    private let connection: RawConnection

    /// - Parameter source: the local address of the connection.
    init(of client: APIClient, from source: String? = nil) throws {
        connection = try RawConnection(to: client.baseURL, from: source, receiveBufferBytes: 16_384)
        connection.send(
            "GET /v1/events HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer \(client.token ?? "")\r\n\r\n")
        // After its first bytes, the stream gets all changes.
        var beginning: [UInt8] = []
        while !String(decoding: beginning, as: UTF8.self).contains("retry: 1000") {
            let bytes = try connection.receive(upTo: 512)
            guard !bytes.isEmpty else {
                throw UnexpectedAnswer(description: "no stream: \(String(decoding: beginning, as: UTF8.self))")
            }
            beginning += bytes
        }
    }

    func receive() throws -> [UInt8] { try connection.receive() }

    /// Reads until the jobs' states satisfy a condition; returns the last state of each.
    func read(until isEnough: @escaping @Sendable ([String: String]) -> Bool) async throws -> [String: String] {
        try await onThread { [connection] in
            var text = EventText()
            var ended = 0
            while true {
                let bytes = try connection.receive()
                guard !bytes.isEmpty else { throw UnexpectedAnswer(description: "the stream ended") }
                text.read(bytes)
                // The condition is checked only when another job has ended.
                let now = text.states.values.count { $0 == "succeeded" }
                if now != ended, isEnough(text.states.filter { $0.value == "succeeded" }) {
                    return text.states
                }
                ended = now
            }
        }
    }
}
