import Foundation
import TestSupport
import Testing

@testable import Messaging

@Suite("Unknown clients at a router with CURVE", .timeLimit(.minutes(5)))
struct UnknownClientTests {
    let keys: Keys
    let worker: CurveKeyPair

    init() throws {
        keys = try Keys()
        worker = try .generate()
    }

    /// The bytes that an unknown client sends, and the reason of its refusal.
    struct UnknownClient: CustomTestStringConvertible, Sendable {
        let testDescription: String
        let bytes: [UInt8]
        let reason: Refusal.Reason

        init(_ what: String, _ bytes: [UInt8], _ reason: Refusal.Reason) {
            testDescription = what
            self.bytes = bytes
            self.reason = reason
        }

        static let all: [UnknownClient] = [
            UnknownClient("HTTP", Array("GET / HTTP/1.1\r\nHost: gateway\r\n\r\n".utf8), .notZeroMQ),
            UnknownClient("TLS", [0x16, 3, 1, 0, 200] + random(200, seed: 1), .notZeroMQ),
            UnknownClient("random bytes", [7] + random(2_000, seed: 2), .notZeroMQ),
            UnknownClient("one byte", [0], .notZeroMQ),
            UnknownClient("ZMTP 1.0", [1, 0], .notZeroMQ),
            UnknownClient("ZMTP 2.0", [0xff, 0, 0, 0, 0, 0, 0, 0, 1, 0x7f, 1, 5, 0, 0], .notZeroMQ),
            UnknownClient(
                "random bytes after ZMTP's first ones", [0xff] + random(8, seed: 3) + [0x7f, 3] + random(200, seed: 4),
                .noCurve),
            UnknownClient("ZMTP without a mechanism", RawPeer.greeting("NULL"), .noCurve),
            UnknownClient("ZMTP with passwords", RawPeer.greeting("PLAIN"), .noCurve),
            UnknownClient("an unknown mechanism", RawPeer.greeting("ROT13"), .noCurve),
            UnknownClient(
                "random bytes after CURVE's greeting", RawPeer.greeting("CURVE") + random(500, seed: 5), .notZeroMQ),
            UnknownClient(
                "an endless command after CURVE's greeting",
                RawPeer.greeting("CURVE") + [6] + Array(repeating: 0xff, count: 8), .notZeroMQ),
        ]

        private static func random(_ count: Int, seed: UInt64) -> [UInt8] {
            var random = SeededRandom(seed: seed)
            return (0..<count).map { _ in UInt8.random(in: 0...255, using: &random) }
        }
    }

    @Test(
        "Unknown clients are disconnected and counted, and the gateway continues to serve", arguments: UnknownClient.all
    )
    func refusedClients(stranger: UnknownClient) async throws {
        let gateway = try await keys.router(allowing: worker)
        let peer = try await DealerUnderTest(gateway.endpoint, as: "w/1", security: keys.security(of: worker))
        await peer.expectAnswer(1)
        let raw = try RawPeer(gateway.endpoint)
        raw.send(stranger.bytes)
        await raw.untilHungUp()
        // The address is unknown when the client has disconnected before the router reads it.
        #expect(await gateway.refusals.wait(for: 1).map(\.reason) == [stranger.reason])
        #expect(gateway.refusedCounts == [stranger.reason: 1])
        await peer.expectAnswer(2)
        #expect(gateway.arrivals.elements.count == 2 && gateway.router.statistics.malformed == 0)
        await peer.dealer.close()
        await gateway.router.close()
    }

    @Test("Clients that send nothing, or only part of a handshake, are disconnected after the timeout")
    func silentClients() async throws {
        var options = MessagingOptions()
        options.handshakeTimeout = .milliseconds(200)
        let gateway = try await keys.router(allowing: worker, options: options)
        for bytes in [[], RawPeer.greeting("CURVE"), Array(RawPeer.greeting("CURVE").prefix(20))] {
            let raw = try RawPeer(gateway.endpoint)
            raw.send(bytes)
            await raw.untilHungUp()
        }
        #expect(await gateway.refusals.wait(for: 3).map(\.reason) == [.handshake, .handshake, .handshake])
        await gateway.router.close()
    }

    @Test("Thousands of unknown clients leave no descriptors and hardly any memory in use")
    func thousandsOfClients() async {
        // This runs in a process of its own, because the memory and files of other tests would count.
        await #expect(processExitsWith: .success) { try await UnknownClientTests.knockByTheThousand() }
    }

    private static func knockByTheThousand() async throws {
        let (keys, worker) = (try Keys(), try CurveKeyPair.generate())
        let gateway = try await keys.router(allowing: worker)
        let peer = try await DealerUnderTest(gateway.endpoint, as: "w/1", security: keys.security(of: worker))
        await peer.expectAnswer(1)
        func knock(_ count: Int) async throws {
            let before = gateway.refusals.elements.count
            for number in 0..<count {
                let raw = try RawPeer(gateway.endpoint)
                raw.send(UnknownClient.all[number % UnknownClient.all.count].bytes)
                await raw.untilHungUp()
            }
            await gateway.refusals.wait(for: before + count)
        }
        // The first connections allocate memory that later ones use again.
        try await knock(300)
        let (memory, files) = (try residentKilobytes(), try openFiles())
        try await knock(1_200)
        // Less than 7 KiB of memory for each connection, and only some descriptors that are being closed.
        #expect(try residentKilobytes() - memory < 8_192)
        #expect(try openFiles() - files < 20)
        await peer.expectAnswer(2)
        #expect(gateway.refusedCounts.values.reduce(0, +) == 1_500)
        await peer.dealer.close()
        await gateway.router.close()
    }

    private static func residentKilobytes() throws -> Int {
        let status = String(decoding: try Data(contentsOf: URL(filePath: "/proc/self/statm")), as: UTF8.self)
        return (status.split(separator: " ").dropFirst().first.flatMap { Int($0) } ?? 0) * 4
    }

    private static func openFiles() throws -> Int {
        try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").count
    }
}
