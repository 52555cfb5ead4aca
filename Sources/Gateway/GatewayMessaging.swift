import Contracts
import Jobs
import Logging
import Messaging
import Model
import ServiceLifecycle
import Synchronization
import Telemetry

/// Connects the dispatcher to the workers for as long as the gateway runs.
package final class GatewayMessaging: Service {
    let queue: JobQueue
    let router: MessageRouter
    /// The folder of the workers' allowed keys; `nil` without CURVE.
    private let keys: KeyFolder?
    private let logger: Logger
    private let otherVersions: Counter
    /// Limits the log lines of refused peers, so that strangers at an open port cannot fill the disk.
    private let refusals = Dictionary(
        uniqueKeysWithValues: Refusal.Reason.allCases.map { ($0, LogThrottle(limit: 1, per: .seconds(60))) })

    package init(queue: JobQueue, router: MessageRouter, keys: KeyFolder?, metrics: MetricRegistry, logger: Logger) {
        self.queue = queue
        self.router = router
        self.keys = keys
        self.logger = logger
        otherVersions = metrics.counter(.messagingRefused, [Refusal.Reason.protocolVersion.rawValue])
    }

    /// Loads the unfinished jobs from the database, then binds the endpoint.
    package func start() async throws {
        try await queue.dispatcher.load()
        queue.dispatcher.connect { [router] frame, instance in router.send(frame, to: PeerID(instance)) }
        let endpoint = try await router.start { [self] peer, frame in
            receive(frame, from: peer)
        } onUndeliverable: { [logger] peer, reason in
            // Nothing has to be done here: the job's lease expires, and the job is handed out again.
            logger.debug("a message was not sent", metadata: ["worker": "\(peer)", "reason": "\(reason)"])
        } onRefusal: { [self] refusal in
            refused(refusal)
        }
        logger.info(
            "waiting for workers",
            metadata: ["endpoint": "\(endpoint)", "curve": "\(keys == nil ? "off" : "on")"])
    }

    package func run() async throws {
        let watch = keys.map { folder in
            KeyWatch(folder) { [router] in
                router.admit($0)
            } onProblem: { [logger] problem in
                logger.warning("a worker's key was not accepted", metadata: ["error": "\(problem)"])
            }
        }
        try? await gracefulShutdown()
        watch?.close()
        await router.close()
        queue.database.close()
    }

    // MARK: On the messaging thread

    private func receive(_ frame: [UInt8], from peer: PeerID) {
        // Another protocol version may give any other byte another meaning.
        if frame.count >= 2, frame[1] != protocolVersion {
            otherVersions.add()
            return log(Refusal(.protocolVersion, peer: peer), version: frame[1])
        }
        queue.dispatcher.receive(frame, from: Self.instance(peer))
    }

    private func refused(_ refusal: Refusal) {
        // A peer is named only if it was a connected worker, so its key was revoked while it was connected.
        if let peer = refusal.peer, [.revokedKey, .unknownKey].contains(refusal.reason) {
            queue.dispatcher.keyRevoked(of: Self.instance(peer))
        }
        log(refusal)
    }

    private func log(_ refusal: Refusal, version: UInt8? = nil) {
        guard let suppressed = refusals[refusal.reason]?.admit() else { return }
        var metadata: Logger.Metadata = ["reason": "\(refusal.reason.rawValue)"]
        if let address = refusal.address { metadata["address"] = "\(address)" }
        if let key = refusal.key { metadata["key"] = "\(key.fingerprint)" }
        if let name = refusal.keyName { metadata["keyName"] = "\(name)" }
        if let peer = refusal.peer { metadata["worker"] = "\(peer)" }
        if let version { metadata["version"] = "\(version), not \(protocolVersion)" }
        if suppressed > 0 { metadata["othersSince"] = "\(suppressed)" }
        logger.warning("refused a peer at the messaging endpoint", metadata: metadata)
    }

    private static func instance(_ peer: PeerID) -> String { String(decoding: peer.bytes, as: UTF8.self) }
}

/// Ends event streams and waiting requests as soon as the gateway is told to stop, so that the HTTP server does not
/// wait for them.
package struct EventCloser: Service {
    let events: JobEvents

    package init(events: JobEvents) {
        self.events = events
    }

    package func run() async throws {
        try? await gracefulShutdown()
        events.close()
    }
}
