import Domains
import Model
import Platform
import Push
import Storage
import TestSupport
import Upstream

@testable import PushServices
@testable import UpstreamSimulator

/// A simulated push service and ntfy server, and the clients that send to them.
struct PushFixture: Sendable {
    let simulator: Simulator
    let port: Int
    let runtime: UpstreamRuntime
    let keys = VAPIDKeyPair()

    /// The simulator as seen at `host`, one of the names of this machine.
    func origin(_ host: String = "127.0.0.1") -> String { "http://\(host):\(port)" }

    static func run(_ body: @escaping @Sendable (PushFixture) async throws -> Void) async throws {
        let simulator = Simulator(ticketmaster: TicketmasterSimulator(configuration: TicketmasterConfiguration()))
        try await withServer { listening in
            try simulator.application(onListening: listening)
        } _: { port in
            try await withDatabase(of: [.storage, .permits]) { database, _ in
                let runtime = UpstreamRuntime(transport: HTTPTransport(), database: database)
                try await body(PushFixture(simulator: simulator, port: port, runtime: runtime))
                await runtime.shutdown()
            }
        }
    }

    // MARK: Web Push

    func webPush(
        keys: VAPIDKeyPair? = nil, contact: String = "https://music.example.org", hosts: PushHosts? = nil
    ) throws -> WebPushClient {
        WebPushClient(
            hosts: hosts ?? .webPush(runtime),
            tokens: VAPIDTokens(keys: keys ?? self.keys, contact: try VAPIDContact(contact)))
    }

    /// A browser that subscribed with the key of this fixture.
    func subscribe(
        at host: String = "127.0.0.1"
    ) throws -> (browser: SimulatedSubscription, subscription: WebPushSubscription) {
        let order = PushSimulator.SubscriptionOrder(applicationServerKey: keys.publicKey)
        let browser = try simulator.push.subscribe(order)[0]
        let view = PushSimulator.SubscriptionView(browser, origin: origin(host))
        let subscription = try WebPushSubscription(
            endpoint: view.endpoint, p256dh: view.keys.p256dh, auth: view.keys.auth, simulatedOrigin: origin(host))
        return (browser, subscription)
    }

    func message(_ text: String, topic: PushTopic? = nil) -> WebPushMessage {
        WebPushMessage(content: Array(text.utf8), timeToLive: .seconds(3_600), urgency: .high, topic: topic)
    }

    /// What a browser has by now.
    func present(_ browser: SimulatedSubscription) -> SimulatedSubscription? {
        simulator.push.state.withLock { $0.subscriptions[browser.token] }
    }

    /// Makes the push service answer the next messages with a fault.
    func fail(_ fault: FaultRule.Kind, times: Int? = nil, retryAfter: Int? = nil) {
        simulator.push.recorder.removeFaults()
        simulator.push.recorder.add([FaultRule(fault: fault, times: times, retryAfter: retryAfter)])
    }

    // MARK: ntfy

    static let thisMachine = ["127.0.0.0/8", "::1"].compactMap { AddressRange($0) }

    func ntfyTarget(
        token: String? = nil, at host: String = "127.0.0.1", exceptions: [AddressRange] = thisMachine
    ) throws -> NtfyTarget {
        try NtfyTarget(server: origin(host) + "/ntfy", topic: "backline", token: token, exceptions: exceptions)
    }
}
