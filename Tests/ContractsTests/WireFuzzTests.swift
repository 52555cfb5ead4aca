import Contracts
import TestSupport
import Testing

@Suite("Damaged and hostile frames")
struct WireFuzzTests {
    @Test(
        "A damaged frame is refused, or decoded to a message that encodes and decodes to itself",
        arguments: Fuzzing.seeds(4))
    func damagedFrames(seed: UInt64) {
        var random = SeededRandom(seed: seed)
        var (read, refused) = (0, 0)
        for round in 0..<1_500 {
            let frame =
                round.isMultiple(of: 2)
                ? random.workerMessage(.allCases.randomElement(using: &random) ?? .hello).encoded()
                : random.gatewayMessage(.allCases.randomElement(using: &random) ?? .jobs).encoded()
            let damaged = random.damaged(frame)
            do {
                let message = try WorkerMessage(decoding: damaged)
                #expect(try WorkerMessage(decoding: message.encoded()) == message)
                read += 1
            } catch {
                #expect(error is WireError)
                refused += 1
            }
            do {
                let message = try GatewayMessage(decoding: damaged)
                #expect(try GatewayMessage(decoding: message.encoded()) == message)
                read += 1
            } catch {
                #expect(error is WireError)
                refused += 1
            }
        }
        // Both outcomes occurred often.
        #expect(read > 50 && refused > 500)
    }

    @Test("A list with a forged length uses no more memory than its frame")
    func claimedLengths() throws {
        // A list with as many elements as there are bytes left.
        let size = 1 << 20
        for type in [2, 4, 66, 67] as [UInt8] {
            var frame = [UInt8](repeating: 0, count: size)
            (frame[0], frame[1]) = (type, 2)
            let count = UInt32(size - 40).littleEndian
            withUnsafeBytes(of: count) { bytes in
                // The position after the fields before the list: a credit, a sequence number, or none.
                let place = type == 2 ? 14 : type == 66 ? 10 : 2
                frame.replaceSubrange(place..<place + 4, with: bytes)
            }
            #expect(throws: (any Error).self) { try WorkerMessage(decoding: frame) }
            #expect(throws: (any Error).self) { try GatewayMessage(decoding: frame) }
        }
    }
}
