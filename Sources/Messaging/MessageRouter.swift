/// The gateway's end of messaging: binds an endpoint and talks to every worker that connects.
///
/// A thread of its own owns the ZeroMQ socket; ``send(_:to:)`` and the statistics may be used from any thread. Messages
/// may be lost; the job protocol must handle that.
package final class MessageRouter: Sendable {
    private let thread: SocketThread

    /// Makes a router that is not started yet. Messages that are sent before it starts wait for
    /// ``start(onMessage:onUndeliverable:onRefusal:)``.
    ///
    /// - Throws: ``MessagingError``; ``MessagingError/unprotected(_:)`` for an endpoint on a network without keys.
    package init(
        endpoint: Endpoint, options: MessagingOptions = MessagingOptions(), faults: MessageFaults = .none,
        security: MessagingSecurity = .none
    ) throws(MessagingError) {
        guard !endpoint.isNamed else {
            throw .invalidEndpoint(
                found: endpoint.description,
                reason: "a gateway listens on a numeric address, such as tcp://10.0.0.5:PORT; names are for workers."
            )
        }
        thread = try SocketThread(
            SocketSetup(role: .router, endpoint: endpoint, options: options, faults: faults, security: security))
    }

    deinit {
        // The thread closes its socket soon; only close() waits for that.
        thread.requestEnd()
    }

    /// Checks that no other gateway is bound to the endpoint, before this process does anything that would disturb it.
    /// For ipc only.
    ///
    /// - Throws: ``MessagingError/endpointInUse(_:holder:)``.
    package func requireFreeEndpoint() throws(MessagingError) {
        try thread.requireFreeEndpoint()
    }

    /// Binds the endpoint and starts receiving; call it once.
    ///
    /// For ipc the folder of the socket is created or checked first
    /// (``MessagingError/folderNotPrivate(path:found:remedy:)``). The handlers run on the messaging thread, which sends
    /// and receives nothing meanwhile, so they must be quick and never wait. They are released when the router has
    /// closed.
    ///
    /// - Parameters:
    ///   - onMessage: called with each message and its sender.
    ///   - onUndeliverable: called for each message that could not be sent.
    ///   - onRefusal: called, with CURVE, for each connection that was refused, and for each that was closed because
    ///     its key is no longer allowed.
    /// - Returns: the endpoint, with the port that the system chose if it left that open.
    /// - Throws: ``MessagingError/endpointInUse(_:holder:)`` if another process or router is bound there, for TCP
    ///   ``MessagingError/cannotListen(_:)``.
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

    /// The bound endpoint; `nil` before the start.
    package var endpoint: Endpoint? { thread.endpoint }

    package var statistics: MessagingStatistics { thread.counters.snapshot }

    /// Makes the messaging thread call `answer`; a thread that hangs never does. Only for a started router.
    package func probe(_ answer: @escaping @Sendable () -> Void) {
        thread.probe(answer)
    }

    /// Queues one frame for a peer and returns at once. Messages from one thread to one peer keep their order.
    package func send(_ frame: [UInt8], to peer: PeerID) {
        thread.send(frame, to: peer)
    }

    /// Replaces the allow-list; connections with keys that it does not allow are closed. Only with CURVE.
    package func admit(_ register: KeyRegister) {
        thread.admit(register)
    }

    /// Sends queued messages, for at most ``MessagingOptions/linger``, ends the thread and frees the endpoint.
    package func close() async {
        await thread.end()
    }
}
