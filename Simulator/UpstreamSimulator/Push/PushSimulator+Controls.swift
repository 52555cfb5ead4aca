import Foundation
import Hummingbird
import Model

/// The control routes of the push service, below `/_sim/push/`.
///
/// | route | body | answer |
/// |---|---|---|
/// | `POST subscriptions` | ``SubscriptionOrder`` | the ``SubscriptionView``s of the new ones |
/// | `GET subscriptions` | | the ``SubscriptionView`` of each |
/// | `POST subscriptions/{id}` | ``SubscriptionChange`` | its ``SubscriptionView`` |
/// | `GET subscriptions/{id}/messages` | | ``MessageList`` |
/// | `GET counts` | | ``SimulatedSubscription/Counts`` of all together |
extension PushSimulator {
    private static let mostSubscriptions = 20_000

    struct SubscriptionOrder: Sendable, Codable {
        /// As a page gives it to `PushManager.subscribe()`; without it, messages of any key are accepted.
        var applicationServerKey: String?
        var count: Int?
    }

    /// What a browser's `PushSubscription.toJSON()` returns, and what the simulator knows about it.
    struct SubscriptionView: Sendable, Codable {
        struct Keys: Sendable, Codable {
            var p256dh: String
            var auth: String
        }

        var id: String
        var endpoint: String
        var keys: Keys
        var online: Bool
        var ended: Bool
        var counts: SimulatedSubscription.Counts

        init(_ subscription: SimulatedSubscription, origin: String) {
            id = subscription.id
            endpoint = "\(origin)/push/\(subscription.token)"
            keys = Keys(
                p256dh: PKCE.base64URL(subscription.decryption.privateKey.publicKey.x963Representation),
                auth: PKCE.base64URL(subscription.decryption.authenticationSecret))
            online = subscription.isOnline
            ended = subscription.isEnded
            counts = subscription.counts
        }
    }

    struct SubscriptionChange: Sendable, Codable {
        /// Goes online, whereupon what has waited is shown, or offline.
        var online: Bool?
        /// Goes online that many seconds later, by which messages may have expired.
        var afterSeconds: Int?
        /// Unsubscribes, whereupon messages are refused with 410.
        var end: Bool?
    }

    struct MessageList: Sendable, Codable {
        var shown: [SimulatedSubscription.Message]
        var waiting: [SimulatedSubscription.Message]
        var counts: SimulatedSubscription.Counts
    }

    func addControls(to control: RouterGroup<SimulatorContext>) {
        control.post("subscriptions") { [self] request, context in
            let order = try await ControlJSON.decode(SubscriptionOrder.self, request, context)
            let origin = Self.origin(of: request)
            return try ControlJSON.encode(try subscribe(order).map { SubscriptionView($0, origin: origin) })
        }
        control.get("subscriptions") { [self] request, _ in
            let origin = Self.origin(of: request)
            let all = state.withLock { $0.subscriptions.values.sorted { $0.id < $1.id } }
            return try ControlJSON.encode(all.map { SubscriptionView($0, origin: origin) })
        }
        control.post("subscriptions/{id}") { [self] request, context in
            let order = try await ControlJSON.decode(SubscriptionChange.self, request, context)
            let subscription = try change(Self.id(in: context), as: order)
            return try ControlJSON.encode(SubscriptionView(subscription, origin: Self.origin(of: request)))
        }
        control.get("subscriptions/{id}/messages") { [self] _, context in
            let subscription = try self.subscription(Self.id(in: context))
            return try ControlJSON.encode(
                MessageList(shown: subscription.shown, waiting: subscription.waiting, counts: subscription.counts))
        }
        control.get("counts") { [self] _, _ in
            try ControlJSON.encode(
                state.withLock { state in
                    state.subscriptions.values.reduce(SimulatedSubscription.Counts()) { $0 + $1.counts }
                })
        }
    }

    /// Makes subscriptions, as a browser does for a page.
    func subscribe(_ order: SubscriptionOrder) throws -> [SimulatedSubscription] {
        var key: Data?
        if let text = order.applicationServerKey {
            guard let bytes = JWS.decode(Substring(text)), bytes.count == 65 else {
                throw HTTPError(
                    .badRequest, message: "applicationServerKey is an uncompressed point of 65 bytes in base64url.")
            }
            key = bytes
        }
        let count = order.count ?? 1
        return try state.withLock { state in
            guard count > 0, state.subscriptions.count <= Self.mostSubscriptions - min(count, Self.mostSubscriptions)
            else { throw HTTPError(.badRequest, message: "There are at most \(Self.mostSubscriptions) subscriptions.") }
            return (0..<count).map { _ in
                state.lastNumber += 1
                let subscription = SimulatedSubscription(id: "browser-\(state.lastNumber)", applicationServerKey: key)
                state.subscriptions[subscription.token] = subscription
                state.tokens[subscription.id] = subscription.token
                return subscription
            }
        }
    }

    private func change(_ id: String, as change: SubscriptionChange) throws -> SimulatedSubscription {
        let later = change.afterSeconds ?? 0
        guard (0...10_000_000).contains(later) else {
            throw HTTPError(.badRequest, message: "afterSeconds is from 0 to 10000000.")
        }
        let token = try subscription(id).token
        return try state.withLock { state in
            guard var subscription = state.subscriptions[token] else { throw HTTPError(.notFound) }
            switch change.online {
            case true: subscription.connect(at: MonotonicInstant.now().advanced(by: .seconds(later)))
            case false: subscription.disconnect()
            default: break
            }
            subscription.isEnded = change.end ?? subscription.isEnded
            state.subscriptions[token] = subscription
            return subscription
        }
    }

    private func subscription(_ id: String) throws -> SimulatedSubscription {
        let found = state.withLock { state in state.tokens[id].flatMap { state.subscriptions[$0] } }
        guard let found else { throw HTTPError(.notFound, message: "There is no subscription '\(id)'.") }
        return found
    }

    private static func id(in context: SimulatorContext) throws -> String {
        try context.parameters.require("id")
    }

    private static func origin(of request: Request) -> String {
        "http://" + (request.head.authority ?? "127.0.0.1")
    }
}
