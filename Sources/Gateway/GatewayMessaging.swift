import Jobs
import Logging
import Messaging
import ServiceLifecycle

/// Joins the dispatcher to the workers for as long as the gateway runs.
package struct GatewayMessaging: Service {
    let queue: JobQueue
    let router: MessageRouter

    package init(queue: JobQueue, router: MessageRouter) {
        self.queue = queue
        self.router = router
    }

    /// Reads what the table holds, then binds the endpoint.
    package func start(logger: Logger) async throws {
        try await queue.dispatcher.load()
        queue.dispatcher.connect { [router] frame, epoch in router.send(frame, to: PeerID(epoch)) }
        let endpoint = try await router.start { [dispatcher = queue.dispatcher] peer, frame in
            dispatcher.receive(frame, from: String(decoding: peer.bytes, as: UTF8.self))
        } onUndeliverable: { peer, reason in
            // The lease finds what was lost; here it is only told.
            logger.debug("a message did not leave", metadata: ["worker": "\(peer)", "reason": "\(reason)"])
        }
        logger.info("waiting for workers", metadata: ["endpoint": "\(endpoint)"])
    }

    package func run() async throws {
        try? await gracefulShutdown()
        await router.close()
        queue.database.close()
    }
}

/// Ends event streams and held requests as soon as the gateway is told to stop, so that the HTTP
/// server has nothing to wait for.
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
