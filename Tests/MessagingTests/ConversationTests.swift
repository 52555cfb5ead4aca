import TestSupport
import Testing

@testable import Messaging

@Suite("Messages between router and dealer", .timeLimit(.minutes(5)))
struct ConversationTests {
    let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
    }

    private func ipc(_ name: String = "r.sock") throws -> Endpoint { try Endpoint("ipc://\(folder.file(name))") }

    @Test(
        "Router and dealer exchange 10,000 messages each way, complete and in order", arguments: EndpointKind.allCases)
    func manyMessagesEachWay(place: EndpointKind) async throws {
        let count = 10_000
        let gateway = try await RouterUnderTest(place.endpoint(in: folder))
        let worker = try await DealerUnderTest(gateway.endpoint, as: "worker-1")
        let expected = (0..<count).map(frame)

        for message in expected { worker.dealer.send(message) }
        let heard = await gateway.arrivals.wait(for: count)
        #expect(heard.map(\.frame) == expected)
        #expect(heard.allSatisfy { $0.peer == PeerID("worker-1") })

        for message in expected { gateway.router.send(message, to: PeerID("worker-1")) }
        #expect(await worker.arrivals.wait(for: count) == expected)

        let bytes = expected.reduce(0) { $0 + $1.count }
        let statistics = gateway.router.statistics
        #expect(statistics.messagesReceived == count && statistics.messagesSent == count)
        #expect(statistics.bytesReceived == bytes && statistics.bytesSent == bytes)
        #expect(gateway.losses.elements.isEmpty && worker.losses.elements.isEmpty)
        await worker.dealer.close()
        await gateway.router.close()
    }

    @Test("Empty and large frames arrive unchanged")
    func frameSizes() async throws {
        let gateway = try await RouterUnderTest(ipc(), answers: true)
        let worker = try await DealerUnderTest(gateway.endpoint, as: "w")
        let large = (0..<3_000_000).map { UInt8(truncatingIfNeeded: $0 &* 31) }
        worker.dealer.send([])
        worker.dealer.send(large)
        #expect(await worker.arrivals.wait(for: 2) == [[], large])
        await worker.dealer.close()
        await gateway.router.close()
    }

    @Test("Messages that are sent before the start are sent after it")
    func sendBeforeStart() async throws {
        let gateway = try await RouterUnderTest(ipc(), answers: true)
        let dealer = try MessageDealer(endpoint: gateway.endpoint, routingID: PeerID("early"))
        dealer.send([7])
        let answers = Collector<[UInt8]>()
        try await dealer.start(onMessage: { answers.append($0) }, onUndeliverable: { _ in })
        #expect(await answers.wait(for: 1) == [[7]])
        await dealer.close()
        await gateway.router.close()
    }

    @Test("A message to a peer that never connected or has left is reported and counted")
    func unknownPeer() async throws {
        let gateway = try await RouterUnderTest(ipc())
        gateway.router.send([1], to: PeerID("nobody"))
        #expect(await gateway.losses.wait(for: 1) == [.init(peer: PeerID("nobody"), reason: .unreachable)])
        #expect(gateway.router.statistics.undeliverable == 1)
        #expect(gateway.router.statistics.messagesSent == 0)
        await gateway.router.close()
    }

    @Test("A peer that does not read only fills its own queue")
    func queueFull() async throws {
        var options = MessagingOptions()
        options.sendHighWaterMark = 10
        let gateway = try await RouterUnderTest(ipc(), options: options)
        let deaf = try RawDealer(connectingTo: gateway.endpoint.description, as: "deaf")
        try deaf.send([[1]])
        await gateway.arrivals.wait(for: 1)
        let worker = try await DealerUnderTest(gateway.endpoint, as: "worker")
        worker.dealer.send([2])
        await gateway.arrivals.wait(for: 2)

        // 2,000 times 64 KiB is more than fits into the kernel's buffers and both queues.
        let large = [UInt8](repeating: 3, count: 65_536)
        for _ in 0..<2_000 { gateway.router.send(large, to: PeerID("deaf")) }
        #expect(await gateway.losses.wait(for: 1).first == .init(peer: PeerID("deaf"), reason: .queueFull))
        gateway.router.send([4], to: PeerID("worker"))
        #expect(await worker.arrivals.wait(for: 1) == [[4]])
        deaf.close()
        await worker.dealer.close()
        await gateway.router.close()
    }

    @Test("An oversize message closes only its sender's connection")
    func oversizeMessage() async throws {
        var options = MessagingOptions()
        options.maximumMessageSize = 1_000
        let gateway = try await RouterUnderTest(ipc(), options: options, answers: true)
        // The dealer must not reconnect before the router looks for it.
        var slow = MessagingOptions()
        slow.reconnectDelay = .seconds(600)
        slow.maximumReconnectDelay = .seconds(600)
        let offender = try await DealerUnderTest(gateway.endpoint, as: "offender", options: slow)
        let other = try await DealerUnderTest(gateway.endpoint, as: "other")
        for worker in [offender, other] {
            worker.dealer.send([1])
            await worker.arrivals.wait(for: 1)
        }
        offender.dealer.send([UInt8](repeating: 0, count: 1_001))
        // The peer is gone when the router reports so. Each answer from the other worker triggers another check.
        for round in 0... {
            if Task.isCancelled || !gateway.losses.elements.isEmpty { break }
            gateway.router.send([9], to: PeerID("offender"))
            other.dealer.send([2])
            await other.arrivals.wait(for: round + 2)
        }
        #expect(gateway.losses.elements.first == .init(peer: PeerID("offender"), reason: .unreachable))
        #expect(gateway.arrivals.elements.allSatisfy { $0.frame.count == 1 })
        await offender.dealer.close()
        await other.dealer.close()
        await gateway.router.close()
    }

    @Test("A frame above the sender's own limit is reported, not sent")
    func tooLargeToSend() async throws {
        var options = MessagingOptions()
        options.maximumMessageSize = 1_000
        let gateway = try await RouterUnderTest(ipc(), answers: true)
        let worker = try await DealerUnderTest(gateway.endpoint, as: "w", options: options)
        worker.dealer.send([UInt8](repeating: 0, count: 1_001))
        worker.dealer.send([UInt8](repeating: 1, count: 1_000))
        #expect(await worker.losses.wait(for: 1) == [.tooLarge])
        #expect(await worker.arrivals.wait(for: 1).map(\.count) == [1_000])
        await worker.dealer.close()
        await gateway.router.close()
    }

    @Test("Messages without exactly one payload frame are dropped and counted")
    func malformedMessages() async throws {
        let gateway = try await RouterUnderTest(ipc())
        let stranger = try RawDealer(connectingTo: gateway.endpoint.description, as: "stranger")
        try stranger.send([[1], [2]])
        try stranger.send([[], [1], [2], [3]])
        try stranger.send([[5]])
        let heard = await gateway.arrivals.wait(for: 1)
        #expect(heard == [.init(peer: PeerID("stranger"), frame: [5])])
        #expect(gateway.router.statistics.malformed == 2)
        #expect(gateway.router.statistics.messagesReceived == 1)
        stranger.close()
        await gateway.router.close()
    }

    @Test("A second dealer with the same routing id does not get the first one's messages")
    func noHandover() async throws {
        let gateway = try await RouterUnderTest(ipc(), answers: true)
        let owner = try await DealerUnderTest(gateway.endpoint, as: "worker")
        owner.dealer.send([1])
        await owner.arrivals.wait(for: 1)
        let impostor = try RawDealer(connectingTo: gateway.endpoint.description, as: "worker")
        try impostor.send([[66]])
        // The other dealer connects during these rounds. With ZMQ_ROUTER_HANDOVER it would get the rest of the answers.
        for round in 2...300 {
            owner.dealer.send([1])
            await owner.arrivals.wait(for: round)
        }
        #expect(owner.arrivals.elements.count == 300)
        #expect(!gateway.arrivals.elements.contains { $0.frame == [66] })
        impostor.close()
        await owner.dealer.close()
        await gateway.router.close()
    }

    @Test("A dealer that the router ignored because of its routing id is served after it reconnects")
    func reconnectsWhenAsked() async throws {
        let gateway = try await RouterUnderTest(ipc(), answers: true)
        let owner = try RawDealer(connectingTo: gateway.endpoint.description, as: "worker")
        try owner.send([[1]])
        await gateway.arrivals.wait(for: 1)
        let worker = try await DealerUnderTest(gateway.endpoint, as: "worker")
        worker.dealer.send([2])
        // The helper's answers show that enough time has passed for the worker's message to arrive.
        let helper = try await DealerUnderTest(gateway.endpoint, as: "helper")
        for round in 1...100 {
            helper.dealer.send([3])
            await helper.arrivals.wait(for: round)
        }
        owner.close()
        for round in 101... {
            if Task.isCancelled || !worker.arrivals.elements.isEmpty { break }
            if round.isMultiple(of: 100) { worker.dealer.reconnect() }
            worker.dealer.send([4])
            helper.dealer.send([3])
            await helper.arrivals.wait(for: round)
        }
        #expect(worker.arrivals.elements.first == [4])
        #expect(worker.dealer.statistics.reconnections > 0)
        for dealer in [worker.dealer, helper.dealer] { await dealer.close() }
        await gateway.router.close()
    }

    @Test("A dealer finds a restarted router on its endpoint")
    func restartedRouter() async throws {
        let endpoint = try ipc()
        let first = try await RouterUnderTest(endpoint, answers: true)
        let worker = try await DealerUnderTest(endpoint, as: "worker")
        worker.dealer.send([1])
        await worker.arrivals.wait(for: 1)
        await first.router.close()

        let second = try await RouterUnderTest(endpoint, answers: true)
        let helper = try await DealerUnderTest(endpoint, as: "helper")
        // A message may be lost with the old connection, so it is repeated with each answer of the helper.
        for round in 1... {
            if Task.isCancelled || worker.arrivals.elements.count > 1 { break }
            worker.dealer.send([2])
            helper.dealer.send([3])
            await helper.arrivals.wait(for: round)
        }
        #expect(worker.arrivals.elements.prefix(2) == [[1], [2]])
        #expect(second.arrivals.elements.contains(.init(peer: PeerID("worker"), frame: [2])))
        for worker in [worker, helper] { await worker.dealer.close() }
        await second.router.close()
    }

    @Test("A dealer may start before its router: its messages wait for the connection")
    func dealerFirst() async throws {
        let endpoint = try ipc()
        let worker = try await DealerUnderTest(endpoint, as: "early")
        worker.dealer.send([1])
        let gateway = try await RouterUnderTest(endpoint, answers: true)
        #expect(await worker.arrivals.wait(for: 1) == [[1]])
        await worker.dealer.close()
        await gateway.router.close()
    }
}
