import Model

/// A message from the gateway to a worker. Any message may be lost, duplicated or late without harm
/// (`docs/protocol.md`).
package enum GatewayMessage: Sendable, Equatable {
    /// The answer to `hello`.
    case welcome(heartbeatMilliseconds: Int32)
    /// Jobs whose claims are durable. `sequence` increases with each of these messages to one worker, also across
    /// restarts of the gateway. A message whose number does not increase is a repetition.
    case jobs(sequence: Int64, [AssignedJob])
    /// The runs are not, or no longer, the worker's: it ends them and writes nothing.
    case stop([JobRun])
    /// The gateway does not know the worker, which answers with `hello`.
    case identify

    package enum MessageType: UInt8, CaseIterable, Sendable {
        case welcome = 65
        case jobs = 66
        case stop = 67
        case identify = 68
    }

    package var type: MessageType {
        switch self {
        case .welcome: .welcome
        case .jobs: .jobs
        case .stop: .stop
        case .identify: .identify
        }
    }

    package func encoded() -> [UInt8] {
        var writer = WireWriter(message: type.rawValue)
        switch self {
        case .welcome(let heartbeatMilliseconds):
            writer.write(heartbeatMilliseconds)
        case .jobs(let sequence, let jobs):
            writer.write(sequence)
            writer.write(list: jobs) { $0.write($1) }
        case .stop(let runs):
            writer.write(list: runs) { $0.write($1) }
        case .identify:
            break
        }
        return writer.bytes
    }

    package init(decoding frame: [UInt8]) throws {
        var reader = WireReader(frame)
        switch try reader.readHeader(MessageType.self) {
        case .welcome: self = .welcome(heartbeatMilliseconds: try reader.read())
        case .jobs: self = .jobs(sequence: try reader.read(), try reader.readList { try $0.readJob() })
        case .stop: self = .stop(try reader.readList { try $0.readRun() })
        case .identify: self = .identify
        }
        try reader.finish()
    }
}

/// The first byte of each message, by the message's name in `docs/protocol.md`.
package let messageTypes: [String: UInt8] = {
    var types: [String: UInt8] = [:]
    for type in WorkerMessage.MessageType.allCases { types["\(type)".uppercased()] = type.rawValue }
    for type in GatewayMessage.MessageType.allCases { types["\(type)".uppercased()] = type.rawValue }
    return types
}()
