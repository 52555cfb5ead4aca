import Foundation
import Logging
import Model
import NotificationSources
import Notifications
import Platform
import Push
import Settings
import Storage
import Telemetry
import TestSupport
import Upstream
import Vault

@testable import NotificationsWorker
@testable import PushServices
@testable import UpstreamSimulator

/// People whose notifications are pushed to a simulated push service and a simulated ntfy server.
struct PushSample: Sendable {
    let notifications: SampleNotifications
    let simulator: Simulator
    let origin: String
    let runtime: UpstreamRuntime
    let keys = VAPIDKeyPair()
    let metrics = MetricRegistry()
    /// Whether the run is to end before it writes what it has sent, as if its worker had been killed.
    struct Killed: Error {}

    static func run(people: Int, _ body: @escaping @Sendable (PushSample) async throws -> Void) async throws {
        let simulator = Simulator(ticketmaster: TicketmasterSimulator(configuration: TicketmasterConfiguration()))
        try await withServer { listening in
            try simulator.application(onListening: listening)
        } _: { port in
            try await SampleNotifications.run(people: people) { sample in
                let runtime = UpstreamRuntime(transport: HTTPTransport(), database: sample.database)
                try await body(
                    PushSample(
                        notifications: sample, simulator: simulator, origin: "http://127.0.0.1:\(port)",
                        runtime: runtime))
                await runtime.shutdown()
            }
        }
    }

    /// Where the simulated ntfy server is.
    static let ntfyNetworks = ["127.0.0.0/8"].compactMap { AddressRange($0) }

    private func settings(ntfyNetworks: [AddressRange]) -> PushSettings {
        var reader = ConfigurationReader(sources: [])
        var settings = PushSettings(reading: &reader)
        settings.simulatedService = origin
        settings.ntfyNetworks = ntfyNetworks
        return settings
    }

    // MARK: Targets

    /// Subscribes a browser and posts its subscription.
    @discardableResult
    func addBrowser(_ number: Int = 0, of person: Int) async throws -> SimulatedSubscription {
        let order = PushSimulator.SubscriptionOrder(applicationServerKey: keys.publicKey)
        let browser = try simulator.push.subscribe(order)[0]
        let view = PushSimulator.SubscriptionView(browser, origin: origin)
        let subscription = try WebPushSubscription(
            endpoint: view.endpoint, p256dh: view.keys.p256dh, auth: view.keys.auth, simulatedOrigin: origin)
        try await add(
            NewPushTarget(
                channel: .webPush, host: subscription.host, fingerprint: subscription.fingerprint,
                secret: subscription.secret), number, of: person)
        return browser
    }

    func addTopic(_ number: Int = 0, of person: Int, token: String? = nil) async throws {
        let target = try NtfyTarget(
            server: origin + "/ntfy", topic: "backline", token: token, exceptions: Self.ntfyNetworks)
        try await add(
            NewPushTarget(
                channel: .ntfy, host: target.host, fingerprint: target.fingerprint({ $0.reveal() }),
                secret: target.secret), number, of: person)
    }

    private func add(_ target: NewPushTarget, _ number: Int, of person: Int) async throws {
        _ = try await notifications.database.write { [notifications] transaction in
            try transaction.notifications.putTarget(
                target, id: SampleNotifications.targetID(number), of: SampleNotifications.name(person),
                credential: .session(hash: "session"), by: notifications.sealer, now: .now())
        }
    }

    /// The titles of what a browser has shown.
    func shown(by browser: SimulatedSubscription) throws -> [String] {
        let present = simulator.push.state.withLock { $0.subscriptions[browser.token] }
        return try (present?.shown ?? []).map { message in
            let content = try JSONSerialization.jsonObject(with: Data((message.text ?? "").utf8)) as? [String: Any]
            return (content?["notification"] as? [String: Any])?["title"] as? String ?? ""
        }
    }

    func fail(_ fault: FaultRule.Kind, times: Int? = nil, retryAfter: Int? = nil) {
        simulator.push.recorder.removeFaults()
        simulator.push.recorder.add([FaultRule(fault: fault, times: times, retryAfter: retryAfter)])
    }

    // MARK: Sending

    func wave(at recipient: Int, by actor: Int, subject: String = "") async throws {
        try await notifications.wave(at: recipient, by: actor, subject: subject, time: .now())
    }

    /// Releases what is new, and runs the job.
    ///
    /// - Parameters:
    ///   - killedAfter: how many transactions it writes before its worker is killed; `nil` for all.
    ///   - ntfyNetworks: what the worker's configuration allows.
    @discardableResult
    func push(
        killedAfter: Int? = nil, after state: PushRunState? = nil,
        ntfyNetworks: [AddressRange] = PushSample.ntfyNetworks
    ) async throws -> PushResult {
        try await notifications.release(at: .now())
        let writes = Writes()
        let database = notifications.database
        let services = PushServiceAccess(
            open: { [notifications] (sealed, name) throws(VaultError) in
                try notifications.sealer.vault.open(sealed, as: name)
            }, settings: settings(ntfyNetworks: ntfyNetworks),
            webPush: WebPushClient(
                hosts: .webPush(runtime),
                tokens: VAPIDTokens(keys: keys, contact: try VAPIDContact("https://music.example.org"))),
            ntfy: NtfyClient(hosts: .ntfy(runtime)), logger: .silent, throttle: LogThrottle())
        let run = PushRun(
            database: database, kinds: SampleNotifications.kinds, accounts: notifications.accounts,
            lane: PushLane(
                database: database, kinds: SampleNotifications.kinds, accounts: notifications.accounts,
                services: services, siteURL: "https://music.example.org"),
            checkpoint: { write in
                if let killedAfter, await writes.next() >= killedAfter { throw Killed() }
                try await database.write { _ = try write($0) }
            }, isEnding: { false }, metrics: metrics, logger: .silent)
        return try await run.run(state)
    }

    private actor Writes {
        private var count = 0

        func next() -> Int {
            defer { count += 1 }
            return count
        }
    }
}
