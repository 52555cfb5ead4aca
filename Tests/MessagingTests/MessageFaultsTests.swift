import TestSupport
import Testing

@testable import Messaging

@Suite("Message faults", .timeLimit(.minutes(5)))
struct MessageFaultsTests {
    private static let types: [String: UInt8] = ["DONE": 1, "JOBS": 2, "HELLO": 3]

    @Test("Rules drop and duplicate the first messages of a type, on real sockets")
    func droppedAndDuplicatedMessages() async throws {
        let folder = try TemporaryFolder()
        let faults = try MessageFaults(rules: "drop:DONE:1, double:JOBS:2", types: Self.types)
        let gateway = try await RouterUnderTest(Endpoint("ipc://\(folder.file("r.sock"))"))
        let worker = try await DealerUnderTest(gateway.endpoint, as: "w", faults: faults)
        let sent: [[UInt8]] = [[1, 1], [1, 2], [2, 1], [3, 1], [2, 2], [2, 3], [1, 3]]
        for frame in sent { worker.dealer.send(frame) }
        let heard = await gateway.arrivals.wait(for: 8)
        #expect(heard.map(\.frame) == [[1, 2], [2, 1], [2, 1], [3, 1], [2, 2], [2, 2], [2, 3], [1, 3]])
        #expect(worker.dealer.statistics.droppedByFault == 1)
        #expect(worker.dealer.statistics.duplicatedByFault == 2)
        #expect(worker.dealer.statistics.messagesSent == 8)
        await worker.dealer.close()
        await gateway.router.close()
    }

    @Test("A closure decides for both directions")
    func decidingClosure() async throws {
        let folder = try TemporaryFolder()
        let faults = MessageFaults { direction, frame in
            switch (direction, frame) {
            case (.inbound, [1]): .drop
            case (.inbound, [2]): .duplicate
            case (.outbound, [3]): .drop
            default: .deliver
            }
        }
        let gateway = try await RouterUnderTest(
            Endpoint("ipc://\(folder.file("r.sock"))"), faults: faults, answers: true)
        let worker = try await DealerUnderTest(gateway.endpoint, as: "w")
        for byte: UInt8 in 1...4 { worker.dealer.send([byte]) }
        #expect(await worker.arrivals.wait(for: 3) == [[2], [2], [4]])
        #expect(gateway.arrivals.elements.map(\.frame) == [[2], [2], [3], [4]])
        await worker.dealer.close()
        await gateway.router.close()
    }

    @Test("Rules of one type apply in turn, a rule without a count always; received messages are not affected")
    func severalRules() throws {
        let faults = try MessageFaults(rules: "double:DONE:1,drop:DONE", types: Self.types)
        #expect(faults.delivery(.inbound, [1]) == .deliver)
        #expect((0..<4).map { _ in faults.delivery(.outbound, [1]) } == [.duplicate, .drop, .drop, .drop])
        #expect(faults.delivery(.outbound, [2]) == .deliver)
        #expect(faults.delivery(.outbound, []) == .deliver)
    }

    @Test("Without rules there are no faults", arguments: ["", " , "])
    func noRules(text: String) throws {
        let faults = try MessageFaults(rules: text, types: Self.types)
        #expect(faults.delivery(.outbound, [1]) == .deliver)
    }

    @Test(
        "A rule that cannot be read is named, with the allowed form",
        arguments: [
            ("drop", "write drop:TYPE:COUNT"), ("drop:DONE:1:2", "write drop:TYPE:COUNT"),
            ("lose:DONE:1", "neither drop nor double"), ("drop:GONE:1", "not one of DONE, HELLO, JOBS"),
            ("drop:DONE:0", "not a count"), ("drop:DONE:", "not a count"), ("drop:DONE:x", "not a count"),
        ])
    func unreadableRules(rule: String, reason: String) {
        let error = #expect(throws: MessagingError.self) {
            try MessageFaults(rules: "drop:JOBS:1,\(rule)", types: Self.types)
        }
        #expect(error?.description.contains("\"\(rule)\"") == true)
        #expect(error?.description.contains(reason) == true)
    }
}
