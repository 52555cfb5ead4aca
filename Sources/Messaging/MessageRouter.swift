/// The gateway's end of messaging: binds an endpoint and talks to every worker that connects.
///
/// A thread of its own owns the ZeroMQ socket; ``send(_:to:)`` and the statistics may be
/// used from any thread. Messages may be lost, and whoever sends them must cope.
package final class MessageRouter: Sendable {
    private let thread: SocketThread

    /// Makes a router that does nothing yet; only running out of file descriptors fails.
    ///
    /// What is sent before ``start(onMessage:onUndeliverable:)`` waits for it.
    package init(
        endpoint: Endpoint, options: MessagingOptions = MessagingOptions(), faults: MessageFaults = .none
    ) throws(MessagingError) {
        thread = try SocketThread(
            SocketSetup(role: .router, endpoint: endpoint, options: options, faults: faults))
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
    /// - Returns: the endpoint, with the port that the system chose where it was asked to.
    /// - Throws: ``MessagingError/endpointInUse`` when another process (or router) is bound there.
    @discardableResult
    package func start(
        onMessage: @escaping @Sendable (_ peer: PeerID, _ frame: [UInt8]) -> Void,
        onUndeliverable: @escaping @Sendable (_ peer: PeerID, _ reason: UndeliverableReason) -> Void
    ) async throws(MessagingError) -> Endpoint {
        try await thread.start(
            MessageHandlers(
                onMessage: { peer, frame in if let peer { onMessage(peer, frame) } },
                onUndeliverable: { peer, reason in if let peer { onUndeliverable(peer, reason) } }))
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

    /// Sends what is queued (no longer than ``MessagingOptions/linger``), ends the thread and frees the endpoint.
    package func close() async {
        await thread.end()
    }
}
