import Contracts
import Foundation
import Messaging
import Model
import Synchronization
import TestProcesses
import TestSupport
import Testing

@Suite("A flood of messages", .timeLimit(.minutes(20)))
struct FloodTests {
    private static let size = longTestsAreWanted ? 1_000_000 : 60_000

    /// The messages of a flood.
    enum Kind: String, Sendable, CaseIterable {
        case garbage
        /// Valid heartbeats of an unknown worker. Each is answered, but the answers are never read.
        case heartbeats
        /// Several frames in one message.
        case severalFrames

        func frames(_ number: Int) -> [[UInt8]] {
            switch self {
            case .garbage: [Array(repeating: UInt8(truncatingIfNeeded: number), count: number % 600)]
            case .heartbeats:
                [WorkerMessage.heartbeat(held: [], credit: WorkerCredit(free: 1, received: 0)).encoded()]
            case .severalFrames: [[1], [2], []]
            }
        }

        /// The count in `/metrics`.
        func count(in metrics: MetricsText) -> Double {
            let gateway = ["process": "api-gateway"]
            return switch self {
            case .garbage:
                metrics.sum("backline_messages_dropped_total", gateway.adding("reason", "unreadable"))
                    + metrics.sum("backline_messaging_refused_total", gateway.adding("reason", "protocolVersion"))
            case .heartbeats: metrics.sum("backline_messages_dropped_total", gateway.adding("reason", "undeliverable"))
            case .severalFrames: metrics.sum("backline_messages_dropped_total", gateway.adding("reason", "malformed"))
            }
        }
    }

    @Test(
        "A flood to the gateway delays no job; it is counted, the log stays short, and memory is bounded",
        arguments: Kind.allCases)
    func floodToTheGateway(kind: Kind) async throws {
        try await Installation.run { installation in
            let (gateway, _) = try await installation.startAll()
            let ada = try await installation.addUser()
            _ = try await ada.submit(Echo.job(0), wait: 30)
            let before = ProcessMemory(of: gateway).resident
            let (endpoint, isOver, began) = (installation.endpoint, Flag(), ContinuousClock.now)
            async let flood: Void = onThread {
                let peer = try RawDealer(connectingTo: endpoint, as: "flooder/\(UUIDv7.next())")
                for number in 0..<Self.size { try peer.send(kind.frames(number)) }
                // The peer stays connected, so that the answers fill its queue.
                isOver.wait()
                peer.close()
            }
            // The thread also ends if the test fails.
            defer { isOver.raise() }
            for n in 1...20 {
                #expect(try await ada.submit(Echo.job(n), wait: 30).state == "succeeded")
            }
            let counted = Double(kind == .heartbeats ? Self.size / 4 : Self.size)
            try await installation.metrics("the flood to be counted") { kind.count(in: $0) >= counted * 0.999 }
            #expect(try await ada.submit(Echo.job(99), wait: 30).state == "succeeded")
            let after = ProcessMemory(of: gateway).resident
            #expect(after < before * 2 + (64 << 20), "from \(before) to \(after) bytes")
            #expect(gateway.errors.lines.count < mostLines(100, since: began), "it fills the disk of its log")
            isOver.raise()
            try await flood
            #expect(gateway.isRunning)
        }
    }

    @Test("A flood of frames that are too large closes only its sender's connection")
    func oversizedFrames() async throws {
        try await Installation.run { installation in
            let (gateway, _) = try await installation.startAll()
            let ada = try await installation.addUser()
            let endpoint = installation.endpoint
            let before = ProcessMemory(of: gateway).resident
            try await onThread {
                let large = [UInt8](repeating: 7, count: MessagingOptions().maximumMessageSize + 1)
                for _ in 0..<10 {
                    let peer = try RawDealer(connectingTo: endpoint, as: "flooder/\(UUIDv7.next())")
                    try peer.send([large])
                    try peer.send([[0]])
                    peer.close()
                }
            }
            for n in 1...20 { #expect(try await ada.submit(Echo.job(n), wait: 30).state == "succeeded") }
            #expect(ProcessMemory(of: gateway).resident < before * 2 + (64 << 20))
            let bytes = try await installation.metrics().sum(
                "backline_message_bytes_received_total", ["process": "api-gateway"])
            #expect(bytes < 1_000_000, "none was read to its end")
            #expect(gateway.isRunning)
        }
    }

    @Test("A worker survives a flood from a false gateway and then works for the real one")
    func floodToAWorker() async throws {
        try await Installation.run { installation in
            #expect(try await installation.command("migrate").end == .exited(0))
            let impostor = try MessageRouter(endpoint: Endpoint(installation.endpoint))
            let peers = Mutex<PeerID?>(nil)
            try await impostor.start { peer, _ in
                peers.withLock { $0 = peer }
            } onUndeliverable: { _, _ in
            }
            let worker = try await installation.startWorker()
            let peer = try await eventually("the worker's hello") { peers.withLock { $0 } }
            let (before, began) = (ProcessMemory(of: worker).resident, ContinuousClock.now)
            for number in 0..<Self.size / 10 {
                impostor.send(Array(repeating: UInt8(truncatingIfNeeded: number), count: number % 600), to: peer)
                // The list claims a length of four billion elements.
                impostor.send([66, 2, 1, 0, 0, 0, 0, 0, 0, 0, 255, 255, 255, 255], to: peer)
                if number % 500 == 499 { try await Task.sleep(for: .milliseconds(1)) }
            }
            try await worker.waitForLog("could not be read")
            await impostor.close()
            try await installation.startGateway()
            try await installation.connected(workers: 1)
            let ada = try await installation.addUser()
            #expect(try await ada.submit(Echo.job(1), wait: 30).state == "succeeded")
            #expect(ProcessMemory(of: worker).resident < before * 2 + (64 << 20))
            #expect(worker.errors.lines.count < mostLines(100, since: began), "it fills the disk of its log")
        }
    }
}

/// A flag that is raised once, for which a thread waits.
private final class Flag: Sendable {
    private let semaphore = DispatchSemaphore(value: 0)

    func wait() { semaphore.wait() }
    func raise() { semaphore.signal() }
}

extension [String: String] {
    fileprivate func adding(_ key: String, _ value: String) -> [String: String] {
        merging([key: value]) { _, new in new }
    }
}
