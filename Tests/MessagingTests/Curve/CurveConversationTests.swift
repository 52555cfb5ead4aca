import CZeroMQ
import TestSupport
import Testing

@testable import Messaging

@Suite("Messages between router and dealer with CURVE", .timeLimit(.minutes(5)))
struct CurveConversationTests {
    let keys: Keys
    let worker: CurveKeyPair

    init() throws {
        keys = try Keys()
        worker = try .generate()
    }

    /// A short delay, for tests that wait for a retry.
    private var options: MessagingOptions {
        var options = MessagingOptions()
        options.refusedDelay = .milliseconds(50)
        return options
    }

    @Test("Messages arrive complete and in order", arguments: ["tcp://127.0.0.1:*", "tcp://[::1]:*"])
    func messagesInOrder(place: String) async throws {
        let gateway = try await keys.router(allowing: worker, at: place)
        let peer = try await DealerUnderTest(gateway.endpoint, as: "w/1", security: keys.security(of: worker))
        let expected = (0..<5_000).map(frame)
        for message in expected { peer.dealer.send(message) }
        #expect(await peer.arrivals.wait(for: 5_000) == expected)
        #expect(gateway.refusedCounts == [:] && peer.troubles.elements.isEmpty)
        #expect(
            Set(gateway.router.statistics.refused.keys) == Set(Refusal.Reason.allCases).subtracting([.protocolVersion]))
        await peer.dealer.close()
        await gateway.router.close()
    }

    @Test("A key that is not in the allow-list is refused, counted and notified, and served once it is added")
    func unknownKey() async throws {
        let gateway = try await keys.router()
        let peer = try await DealerUnderTest(
            gateway.endpoint, as: "w/1", options: options, security: keys.security(of: worker))
        peer.dealer.send([1])
        #expect(await peer.troubles.wait { $0.contains(.keyRefused) }.contains(.keyRefused))
        let refusal = await gateway.refusals.wait(for: 2)[0]
        #expect(refusal == Refusal(.unknownKey, address: "127.0.0.1", key: worker.publicKey))
        #expect(Set(gateway.refusedCounts.keys) == [.unknownKey])
        #expect(gateway.arrivals.elements.isEmpty)

        gateway.router.admit(Keys.register(allowing: worker))
        // Messages to a refused connection are lost, as any message may be.
        try await untilAnswered(peer, [2])
        await peer.dealer.close()
        await gateway.router.close()
    }

    @Test("A revoked key is distinguished from an unknown one")
    func revokedKey() async throws {
        let gateway = try await keys.router()
        gateway.router.admit(Keys.register(revoking: [worker]))
        let peer = try await DealerUnderTest(
            gateway.endpoint, as: "w/1", options: options, security: keys.security(of: worker))
        #expect(await peer.troubles.wait { $0.contains(.keyRefused) }.contains(.keyRefused))
        let refusal = await gateway.refusals.wait(for: 1)[0]
        #expect(refusal.reason == .revokedKey && refusal.keyName == "revoked0" && refusal.peer == nil)
        await peer.dealer.close()
        await gateway.router.close()
    }

    @Test("Revoking a key ends only its connection")
    func revokedWhileConnected() async throws {
        let other = try CurveKeyPair.generate()
        let gateway = try await keys.router(allowing: worker, other)
        let peer = try await DealerUnderTest(
            gateway.endpoint, as: "w/1", options: options, security: keys.security(of: worker))
        let bystander = try await DealerUnderTest(gateway.endpoint, as: "o/1", security: keys.security(of: other))
        await peer.expectAnswer(1)
        await bystander.expectAnswer(1)

        gateway.router.admit(Keys.register(allowing: other, revoking: [worker]))
        let refusal = await gateway.refusals.wait(for: 1)[0]
        #expect(refusal.reason == .revokedKey && refusal.peer == PeerID("w/1") && refusal.address == "127.0.0.1")
        // The dealer reconnects by itself, and is notified of the reason.
        #expect(await peer.troubles.wait { $0.contains(.keyRefused) }.contains(.keyRefused))
        await bystander.expectAnswer(2)
        #expect(bystander.troubles.elements.isEmpty)
        #expect(gateway.arrivals.elements.count(where: { $0.peer == PeerID("w/1") }) == 1)
        gateway.router.send([9], to: PeerID("w/1"))
        await gateway.losses.wait(for: 1)
        for dealer in [peer, bystander] { await dealer.dealer.close() }
        await gateway.router.close()
    }

    @Test("Queued messages of a connection with a revoked key are discarded")
    func revokedInFlight() async throws {
        let gateway = try await keys.router(allowing: worker)
        let peer = try await DealerUnderTest(gateway.endpoint, as: "w/1", security: keys.security(of: worker))
        await peer.expectAnswer(1)
        // The router's thread stays in the handler until the other end's messages have arrived.
        let (isHeld, gate) = (Collector<Void>(), Gate())
        gateway.router.probe {
            isHeld.append(())
            gate.wait()
        }
        await isHeld.wait(for: 1)
        for byte in UInt8(10)..<110 { peer.dealer.send([byte]) }
        gateway.router.admit(KeyRegister())
        gate.open()
        await gateway.refusals.wait(for: 1)
        // Any effect of those messages would come before this answer.
        let probed = Collector<Void>()
        gateway.router.probe { probed.append(()) }
        await probed.wait(for: 1)
        #expect(gateway.arrivals.elements.map(\.frame) == [[1]])
        await peer.dealer.close()
        await gateway.router.close()
    }

    @Test("A dealer with another gateway's key is refused, and notified that the gateway closed the connection")
    func wrongGatewayKey() async throws {
        let gateway = try await keys.router(allowing: worker)
        let peer = try await DealerUnderTest(
            gateway.endpoint, as: "w/1", security: .worker(worker, gatewayKey: worker.publicKey))
        #expect(await peer.troubles.wait(for: 1).first == .brokenOff)
        #expect(await gateway.refusals.wait(for: 1)[0].reason == .gatewayKey)
        await peer.dealer.close()
        await gateway.router.close()
    }

    @Test("A dealer without CURVE is refused and notified, and served by a gateway without CURVE")
    func plainDealer() async throws {
        let gateway = try await keys.router(allowing: worker)
        let peer = try await DealerUnderTest(gateway.endpoint, as: "w/1", options: options)
        peer.dealer.send([1])
        // Either end may close the connection first.
        let troubles = await peer.troubles.wait(for: 2)
        #expect(Set(troubles).isSubset(of: [.curveMismatch, .brokenOff]))
        await gateway.refusals.wait(for: 2)
        #expect(Set(gateway.refusedCounts.keys).isSubset(of: [.noCurve, .handshake]))
        #expect(gateway.arrivals.elements.isEmpty)
        await gateway.router.close()

        let plain = try await RouterUnderTest(gateway.endpoint, answers: true)
        try await untilAnswered(peer, [2])
        await peer.dealer.close()
        await plain.router.close()
    }

    @Test("A worker name belongs to one key while its worker is connected")
    func nameBelongsToAKey() async throws {
        let other = try CurveKeyPair.generate()
        let gateway = try await keys.router(allowing: worker, other)
        let first = try await DealerUnderTest(gateway.endpoint, as: "w/1", security: keys.security(of: worker))
        await first.expectAnswer(1)
        let thief = try await DealerUnderTest(
            gateway.endpoint, as: "w/2", options: options, security: keys.security(of: other))
        thief.dealer.send([66])
        let refusal = await gateway.refusals.wait(for: 1)[0]
        #expect(refusal.reason == .workerName && refusal.key == other.publicKey && refusal.keyName == "allowed1")
        // The same key may use the name again, as a restarted worker does.
        let second = try await DealerUnderTest(gateway.endpoint, as: "w/3", security: keys.security(of: worker))
        await second.expectAnswer(3)
        await first.expectAnswer(4)
        #expect(!gateway.arrivals.elements.contains { $0.peer == PeerID("w/2") })
        await first.dealer.close()
        await second.dealer.close()
        try await untilAnswered(thief, [5])
        await thief.dealer.close()
        await gateway.router.close()
    }

    @Test("A dealer that reconnects with its routing id is served, whichever end closed the connection")
    func comesBack() async throws {
        let gateway = try await keys.router(allowing: worker)
        let peer = try await DealerUnderTest(gateway.endpoint, as: "w/1", security: keys.security(of: worker))
        for round in UInt8(1)...10 {
            try await untilAnswered(peer, [round])
            peer.dealer.reconnect()
        }
        try await untilAnswered(peer, [99])
        #expect(gateway.refusedCounts == [:])
        await peer.dealer.close()
        await gateway.router.close()
    }

    /// Sends messages until the answer arrives: a message to a breaking connection is lost.
    private func untilAnswered(_ peer: DealerUnderTest, _ frame: [UInt8]) async throws {
        var rounds = 0
        while !peer.arrivals.elements.contains(frame) {
            rounds += 1
            // A router can overlook a connection permanently, see MessageDealer.
            if rounds.isMultiple(of: 100) { peer.dealer.reconnect() }
            peer.dealer.send(frame)
            try await Task.sleep(for: .milliseconds(10))
        }
    }
}
