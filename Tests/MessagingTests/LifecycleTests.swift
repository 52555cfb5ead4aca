import Foundation
import TestSupport
import Testing

@testable import Messaging

@Suite("Starting, idling and closing", .timeLimit(.minutes(5)))
struct LifecycleTests {
    let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
    }

    private func ipc(_ name: String = "r.sock") throws -> Endpoint { try Endpoint("ipc://\(folder.file(name))") }

    @Test("Closing sends queued messages first")
    func closeFlushes() async throws {
        let gateway = try await RouterUnderTest(ipc())
        let worker = try await DealerUnderTest(gateway.endpoint, as: "w")
        for number in 0..<5_000 { worker.dealer.send(frame(number)) }
        await worker.dealer.close()
        #expect(worker.dealer.statistics.messagesSent == 5_000)
        #expect(await gateway.arrivals.wait(for: 5_000).map(\.frame) == (0..<5_000).map(frame))
        await gateway.router.close()
    }

    @Test("Closing without a peer gives up after the linger time")
    func closeWithoutPeer() async throws {
        var options = MessagingOptions()
        options.linger = .milliseconds(1)
        let worker = try await DealerUnderTest(ipc(), as: "w", options: options)
        worker.dealer.send([1])
        await worker.dealer.close()
        #expect(worker.dealer.statistics.messagesSent == 1)
    }

    @Test("Closing may be repeated, concurrent or before the start, and later messages are undeliverable")
    func closeTwice() async throws {
        let gateway = try await RouterUnderTest(ipc())
        async let one: Void = gateway.router.close()
        async let two: Void = gateway.router.close()
        _ = await (one, two)
        await gateway.router.close()
        gateway.router.send([1], to: PeerID("w"))
        #expect(gateway.router.statistics.undeliverable == 1)

        let unstarted = try MessageRouter(endpoint: ipc())
        await unstarted.close()
        await #expect(throws: MessagingError.closed) {
            try await unstarted.start(onMessage: { _, _ in }, onUndeliverable: { _, _ in })
        }
    }

    @Test("Closing frees the socket file and every file descriptor")
    func closeFreesDescriptors() async throws {
        let gateway = try await RouterUnderTest(ipc("own.sock"))
        #expect(FileManager.default.fileExists(atPath: folder.file("own.sock")))
        #expect(try openFiles(folder.file("own.sock.lock")) == 1)
        await gateway.router.close()
        #expect(!FileManager.default.fileExists(atPath: folder.file("own.sock")))
        #expect(try openFiles(folder.file("own.sock.lock")) == 0)
    }

    @Test("A router that is released without closing frees its endpoint")
    func releasedRouter() async throws {
        let endpoint = try ipc()
        let released = Collector<Void>()
        do {
            let canary = ReleaseObserver { released.append(()) }
            let router = try MessageRouter(endpoint: endpoint)
            try await router.start(onMessage: { _, _ in _ = canary }, onUndeliverable: { _, _ in })
        }
        // The handlers are released last, after the socket and its lock.
        await released.wait(for: 1)
        let next = try await RouterUnderTest(endpoint)
        await next.router.close()
    }

    @Test("An idle router and dealer do not wake up")
    func idleEndpoints() async throws {
        let idleGateway = try await RouterUnderTest(ipc("idle.sock"), answers: true)
        let idleWorker = try await DealerUnderTest(idleGateway.endpoint, as: "idle")
        idleWorker.dealer.send([1])
        await idleWorker.arrivals.wait(for: 1)

        let busyGateway = try await RouterUnderTest(ipc("busy.sock"), answers: true)
        let busyWorker = try await DealerUnderTest(busyGateway.endpoint, as: "busy")
        func talk(_ rounds: Int) async {
            for _ in 0..<rounds {
                let heard = busyWorker.arrivals.elements.count
                busyWorker.dealer.send([1])
                await busyWorker.arrivals.wait(for: heard + 1)
            }
        }
        await talk(10)
        let before = (idleGateway.router.statistics.wakeUps, idleWorker.dealer.statistics.wakeUps)
        await talk(300)
        #expect(busyGateway.router.statistics.wakeUps > 10)
        #expect((idleGateway.router.statistics.wakeUps, idleWorker.dealer.statistics.wakeUps) == before)

        // The idle threads still handle messages.
        idleWorker.dealer.send([2])
        #expect(await idleWorker.arrivals.wait(for: 2) == [[1], [2]])
        for worker in [idleWorker, busyWorker] { await worker.dealer.close() }
        for gateway in [idleGateway, busyGateway] { await gateway.router.close() }
    }

    @Test("The version of libzmq is reported")
    func versionOfLibzmq() throws {
        let parts = libraryVersion.split(separator: ".").compactMap { Int($0) }
        try #require(parts.count == 3)
        #expect(parts[0] == 4 && parts[1] >= 2)
    }

    private func openFiles(_ path: String) throws -> Int {
        let folder = "/proc/self/fd"
        return try FileManager.default.contentsOfDirectory(atPath: folder).count { name in
            (try? FileManager.default.destinationOfSymbolicLink(atPath: "\(folder)/\(name)")) == path
        }
    }
}

/// Notices when the closure that holds it is released.
private final class ReleaseObserver: Sendable {
    private let onRelease: @Sendable () -> Void

    init(onRelease: @escaping @Sendable () -> Void) {
        self.onRelease = onRelease
    }

    deinit { onRelease() }
}
