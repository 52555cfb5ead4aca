import Composition
import Contracts
import Domains
import Model
import TestSupport
import Testing

@Suite("Encoding of messages")
struct WireTests {
    @Test("A worker's message decodes to itself", arguments: WorkerMessage.MessageType.allCases)
    func workerRoundTrip(type: WorkerMessage.MessageType) throws {
        var random = SeededRandom(seed: UInt64(type.rawValue))
        for _ in 0..<200 {
            let message = random.workerMessage(type)
            let frame = message.encoded()
            #expect(frame[0] == type.rawValue)
            #expect(message.type == type)
            #expect(try WorkerMessage(decoding: frame) == message)
        }
    }

    @Test("A gateway's message decodes to itself", arguments: GatewayMessage.MessageType.allCases)
    func gatewayRoundTrip(type: GatewayMessage.MessageType) throws {
        var random = SeededRandom(seed: UInt64(type.rawValue))
        for _ in 0..<200 {
            let message = random.gatewayMessage(type)
            let frame = message.encoded()
            #expect(frame[0] == type.rawValue)
            #expect(message.type == type)
            #expect(try GatewayMessage(decoding: frame) == message)
        }
    }

    @Test("A frame cut at any byte is refused as truncated")
    func truncatedFrames() {
        var random = SeededRandom(seed: 7)
        for type in WorkerMessage.MessageType.allCases {
            let frame = random.workerMessage(type).encoded()
            for length in frame.indices {
                #expect(throws: WireError.truncated) { try WorkerMessage(decoding: Array(frame[..<length])) }
            }
        }
        for type in GatewayMessage.MessageType.allCases {
            let frame = random.gatewayMessage(type).encoded()
            for length in frame.indices {
                #expect(throws: WireError.truncated) { try GatewayMessage(decoding: Array(frame[..<length])) }
            }
        }
    }

    @Test("Trailing bytes, other protocol versions, and unknown types and values are refused")
    func malformedFrames() {
        let heartbeat = WorkerMessage.heartbeat(held: [], credit: WorkerCredit(free: 1, received: 2)).encoded()
        #expect(throws: WireError.trailingBytes(2)) { try WorkerMessage(decoding: heartbeat + [0, 0]) }
        #expect(throws: WireError.trailingBytes(1)) {
            try GatewayMessage(decoding: GatewayMessage.identify.encoded() + [9])
        }
        var other = heartbeat
        other[1] = protocolVersion + 1
        #expect(throws: WireError.unknownProtocol(protocolVersion + 1)) { try WorkerMessage(decoding: other) }
        #expect(throws: WireError.unknownType(99)) { try WorkerMessage(decoding: [99, protocolVersion]) }
        #expect(throws: WireError.unknownType(1)) { try GatewayMessage(decoding: [1, protocolVersion]) }
        #expect(throws: WireError.unknownType(65)) { try WorkerMessage(decoding: [65, protocolVersion]) }
        #expect(throws: WireError.truncated) { try WorkerMessage(decoding: []) }

        let run = JobRun(jobID: "j", run: 1)
        var done = WorkerMessage.done(
            ended: [RunReport(run: run, outcome: .stale)], credit: .init(free: 0, received: 0)
        )
        .encoded()
        done[done.count - 9] = 77
        #expect(throws: WireError.unknownValue) { try WorkerMessage(decoding: done) }
    }

    @Test("Text that is not UTF-8 is refused")
    func notUTF8() {
        let report = RunProgress(run: JobRun(jobID: "ab", run: 1), JobProgress(done: 0, total: 0))
        var frame = WorkerMessage.progress([report]).encoded()
        // Type, protocol, length of the list, length of the text, text.
        frame[10] = 0xff
        #expect(throws: WireError.notUTF8) { try WorkerMessage(decoding: frame) }
    }

    @Test("A forged length of a list or text is refused before memory is allocated")
    func forgedLengths() {
        let lengths: [[UInt8]] = [[0xff, 0xff, 0xff, 0xff], [0xff, 0xff, 0xff, 0x7f], [2, 0, 0, 0]]
        for length in lengths {
            #expect(throws: WireError.truncated) { try WorkerMessage(decoding: [4, protocolVersion] + length) }
            #expect(throws: WireError.truncated) { try WorkerMessage(decoding: [1, protocolVersion] + length) }
            #expect(throws: WireError.truncated) { try GatewayMessage(decoding: [67, protocolVersion] + length) }
        }
        // As many elements as bytes, so that only decoding them fails.
        let stop = [67, protocolVersion, 0, 0, 1, 0] + [UInt8](repeating: 0xff, count: 65_536)
        #expect(throws: WireError.truncated) { try GatewayMessage(decoding: stop) }
    }

    @Test("Random bytes are decoded or refused, and never crash the process")
    func randomBytes() {
        var random = SeededRandom(seed: 11)
        for round in 0..<20_000 {
            var frame: [UInt8]
            if round % 2 == 0 {
                frame = (0..<Int.random(in: 0...60, using: &random)).map { _ in
                    UInt8.random(in: 0...255, using: &random)
                }
            } else {
                frame = random.workerMessage(.allCases.randomElement(using: &random)!).encoded()
                frame[Int.random(in: frame.indices, using: &random)] = UInt8.random(in: 0...255, using: &random)
            }
            do { _ = try WorkerMessage(decoding: frame) } catch { #expect(error is WireError) }
            do { _ = try GatewayMessage(decoding: frame) } catch { #expect(error is WireError) }
        }
    }

    @Test("Every message has its own number and is listed in the table of names")
    func typesOfMessages() {
        let numbers =
            WorkerMessage.MessageType.allCases.map(\.rawValue) + GatewayMessage.MessageType.allCases.map(\.rawValue)
        #expect(Set(numbers).count == numbers.count)
        #expect(Set(messageTypes.values) == Set(numbers))
        #expect(messageTypes["HEARTBEAT"] == 2)
        #expect(messageTypes["JOBS"] == 66)
    }
}

@Suite("Kinds of jobs")
struct JobKindTests {
    @Test("Each kind can be looked up by name and has limits within sensible ranges", arguments: JobKinds(of: .all).all)
    func limitsOfKinds(kind: JobKind) {
        #expect(JobKinds(of: .all)[kind.name] == kind)
        #expect(kind.version >= 1)
        #expect(kind.maximumRunTime > .zero)
    }

    @Test("Names are unique, and an unknown name has no kind")
    func namesOfKinds() {
        let names = [Domain].all.flatMap(\.jobKinds).map(\.name)
        #expect(Set(names).count == names.count)
        #expect(JobKinds(of: .all)["no.such"] == nil)
    }
}
