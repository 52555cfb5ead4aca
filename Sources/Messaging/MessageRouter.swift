/// The gateway's end of messaging: binds an endpoint and talks to every worker that connects.
///
/// A thread of its own owns the ZeroMQ socket; ``send(_:to:)`` and the statistics may be
/// used from any thread. Messages may be lost, and whoever sends them must cope.
package final class MessageRouter: Sendable {
    private let thread: SocketThread

    /// Makes a router that does nothing yet.
    ///
    /// - Throws: ``MessagingError/unprotected`` for an endpoint on a network without keys.
    ///
    /// What is sent before ``start(onMessage:onUndeliverable:)`` waits for it.
    package init(
        endpoint: Endpoint, options: MessagingOptions = MessagingOptions(), faults: MessageFaults = .none,
        security: MessagingSecurity = .none
    ) throws(MessagingError) {
        guard !endpoint.isNamed else {
            throw .invalidEndpoint(
                found: endpoint.description,
                reason:
                    "a gateway listens on an address written in numbers, such as tcp://10.0.0.5:PORT; names are for workers."
            )
        }
        thread = try SocketThread(
            SocketSetup(role: .router, endpoint: endpoint, options: options, faults: faults, security: security))
    }

    deinit {
        // The thread closes its socket itself, soon; only close() waits for that.
        thread.requestEnd()
    }

    /// Binds the endpoint and begins to receive; call it once.
    ///
    /// For ipc the folder of the socket is created or checked first, see ``MessagingError/folderNotPrivate``.
    /// Both handlers run on the messaging thread, which sends and receives nothing meanwhile: they must
    /// be quick and never wait. They are released when the router has closed.
    ///
    /// - Parameter onMessage: is given each message and its sender.
    /// - Parameter onUndeliverable: is told of each message that could not leave.
    /// - Parameter onRefusal: is told, with CURVE, of whoever was not let in, and of connections that were ended
    ///   because their key is not allowed any more.
    /// - Returns: the endpoint, with the port that the system chose where it was asked to.
    /// - Throws: ``MessagingError/endpointInUse`` when another process (or router) is bound there.
    @discardableResult
    package func start(
        onMessage: @escaping @Sendable (_ peer: PeerID, _ frame: [UInt8]) -> Void,
        onUndeliverable: @escaping @Sendable (_ peer: PeerID, _ reason: UndeliverableReason) -> Void,
        onRefusal: @escaping @Sendable (Refusal) -> Void = { _ in }
    ) async throws(MessagingError) -> Endpoint {
        try await thread.start(
            MessageHandlers(
                onMessage: { peer, frame in if let peer { onMessage(peer, frame) } },
                onUndeliverable: { peer, reason in if let peer { onUndeliverable(peer, reason) } },
                onRefusal: onRefusal))
    }

    /// The endpoint that is bound; `nil` before the start.
    package var endpoint: Endpoint? { thread.endpoint }

    package var statistics: MessagingStatistics { thread.counters.snapshot }

    /// Has the messaging thread call `answer` soon, if it does not hang. Only for one that was started.
    package func probe(_ answer: @escaping @Sendable () -> Void) {
        thread.probe(answer)
    }

    /// Queues one frame for a peer and returns at once. Messages of one thread to one peer keep their order.
    package func send(_ frame: [UInt8], to peer: PeerID) {
        thread.send(frame, to: peer)
    }

    /// Puts another allow-list in force; connections of keys that it does not allow are ended. Only with CURVE.
    package func admit(_ register: KeyRegister) {
        thread.admit(register)
    }

    /// Sends what is queued (no longer than ``MessagingOptions/linger``), ends the thread and frees the endpoint.
    package func close() async {
        await thread.end()
    }
}
