import Foundation
import TestSupport

@testable import Messaging

/// A router in a test, with the messages that it received.
struct RouterUnderTest {
    struct Arrival: Equatable, Sendable {
        let peer: PeerID
        let frame: [UInt8]
    }

    struct Loss: Equatable, Sendable {
        let peer: PeerID
        let reason: UndeliverableReason
    }

    let router: MessageRouter
    let endpoint: Endpoint
    let arrivals = Collector<Arrival>()
    let losses = Collector<Loss>()
    let refusals = Collector<Refusal>()

    init(
        _ endpoint: Endpoint, options: MessagingOptions = MessagingOptions(), faults: MessageFaults = .none,
        security: MessagingSecurity = .none, answers: Bool = false
    ) async throws {
        router = try MessageRouter(endpoint: endpoint, options: options, faults: faults, security: security)
        let (arrivals, losses, refusals) = (arrivals, losses, refusals)
        self.endpoint = try await router.start(
            onMessage: { [weak router] peer, frame in
                arrivals.append(Arrival(peer: peer, frame: frame))
                if answers { router?.send(frame, to: peer) }
            },
            onUndeliverable: { losses.append(Loss(peer: $0, reason: $1)) },
            onRefusal: { refusals.append($0) })
    }
}

/// A dealer in a test, with the messages that it received.
struct DealerUnderTest {
    let dealer: MessageDealer
    let arrivals = Collector<[UInt8]>()
    let losses = Collector<UndeliverableReason>()
    let troubles = Collector<ConnectionTrouble>()

    init(
        _ endpoint: Endpoint, as name: String, options: MessagingOptions = MessagingOptions(),
        faults: MessageFaults = .none, security: MessagingSecurity = .none
    ) async throws {
        dealer = try MessageDealer(
            endpoint: endpoint, routingID: PeerID(name), options: options, faults: faults, security: security)
        let (arrivals, losses, troubles) = (arrivals, losses, troubles)
        try await dealer.start(
            onMessage: { arrivals.append($0) }, onUndeliverable: { losses.append($0) },
            onTrouble: { troubles.append($0) })
    }
}

/// The two kinds of endpoint, each free for a router to bind.
enum EndpointKind: CaseIterable, Sendable {
    case ipc, tcp, tcpIPv6

    func endpoint(in folder: TemporaryFolder) throws -> Endpoint {
        switch self {
        case .ipc: try Endpoint("ipc://\(folder.file("r.sock"))")
        case .tcp: try Endpoint("tcp://127.0.0.1:*")
        case .tcpIPv6: try Endpoint("tcp://[::1]:*")
        }
    }
}

/// A number as a frame.
func frame(_ number: Int) -> [UInt8] { Array("\(number)".utf8) }
