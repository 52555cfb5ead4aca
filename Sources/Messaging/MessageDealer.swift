/// A worker's end of messaging: connects to the gateway, and reconnects when the connection is lost.
///
/// A thread of its own owns the ZeroMQ socket; ``send(_:)`` and the statistics may be used from any thread. Messages
/// wait while there is no connection, up to the high-water mark.
///
/// A router permanently ignores a connection whose routing id another connection still has. That can happen to a dealer
/// that reconnects while the router has unread messages of its old connection. So a worker that gets no answer for
/// seconds should ``reconnect()``.
package final class MessageDealer: Sendable {
    private let thread: SocketThread

    /// Makes a dealer that is not started yet. Messages that are sent before it starts wait for
    /// ``start(onMessage:onUndeliverable:onTrouble:)``.
    ///
    /// - Parameter routingID: identifies this peer to the router: 1 to 255 bytes, the first not zero. Two dealers must
    ///   not use the same id at once, since the router would ignore the second.
    /// - Throws: ``MessagingError``.
    package init(
        endpoint: Endpoint, routingID: PeerID, options: MessagingOptions = MessagingOptions(),
        faults: MessageFaults = .none, security: MessagingSecurity = .none
    ) throws(MessagingError) {
        guard let first = routingID.bytes.first, first != 0, routingID.bytes.count <= 255 else {
            throw .invalidRoutingID(routingID.bytes)
        }
        guard !endpoint.choosesPort else {
            throw .invalidEndpoint(
                found: endpoint.description, reason: "a worker needs the exact port on which its gateway listens.")
        }
        guard !endpoint.isWildcard else {
            throw .invalidEndpoint(
                found: endpoint.description,
                reason: "it stands for all addresses of the gateway's machine; a worker needs one of them.")
        }
        thread = try SocketThread(
            SocketSetup(
                role: .dealer(routingID: routingID), endpoint: endpoint, options: options, faults: faults,
                security: security))
    }

    deinit {
        // The thread closes its socket soon; only close() waits for that.
        thread.requestEnd()
    }

    /// Starts connecting and receiving; call it once.
    ///
    /// Succeeds without a gateway; the dealer keeps trying to connect. The handlers run on the messaging thread, which
    /// sends and receives nothing meanwhile, so they must be quick and never wait. They are released when the dealer
    /// has closed.
    ///
    /// - Parameters:
    ///   - onMessage: called with each message.
    ///   - onUndeliverable: called for each message that could not be queued.
    ///   - onTrouble: called, on TCP, each time a connection is refused or fails before it is established. The dealer
    ///     keeps trying to connect.
    package func start(
        onMessage: @escaping @Sendable (_ frame: [UInt8]) -> Void,
        onUndeliverable: @escaping @Sendable (_ reason: UndeliverableReason) -> Void,
        onTrouble: @escaping @Sendable (ConnectionTrouble) -> Void = { _ in }
    ) async throws(MessagingError) {
        _ = try await thread.start(
            MessageHandlers(
                onMessage: { _, frame in onMessage(frame) },
                onUndeliverable: { _, reason in onUndeliverable(reason) }, onTrouble: onTrouble))
    }

    package var statistics: MessagingStatistics { thread.counters.snapshot }

    /// Makes the messaging thread call `answer`; a thread that hangs never does. Only for a started dealer.
    package func probe(_ answer: @escaping @Sendable () -> Void) {
        thread.probe(answer)
    }

    /// Queues one frame for the gateway and returns at once. Messages sent from one thread keep their order.
    package func send(_ frame: [UInt8]) {
        thread.send(frame, to: nil)
    }

    /// Replaces the connection with a new one, and discards what libzmq has queued or received on it; returns at once.
    package func reconnect() {
        thread.requestReconnect()
    }

    /// Sends queued messages, for at most ``MessagingOptions/linger``, and ends the thread.
    package func close() async {
        await thread.end()
    }
}
