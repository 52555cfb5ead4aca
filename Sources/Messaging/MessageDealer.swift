/// A worker's end of messaging: connects to the gateway, and connects again whenever it must.
///
/// A thread of its own owns the ZeroMQ socket; ``send(_:)`` and the statistics may be used
/// from any thread. Messages wait while there is no connection, up to the high-water mark.
///
/// A router ignores a connection for good whose routing id another one still has. That can
/// befall a dealer that connects anew while the router has messages of its old connection
/// unread. So a worker that nobody answers for seconds should ``reconnect()``.
package final class MessageDealer: Sendable {
    private let thread: SocketThread

    /// Makes a dealer that does nothing yet.
    ///
    /// What is sent before ``start(onMessage:onUndeliverable:)`` waits for it.
    ///
    /// - Parameter routingID: what the router sees as this peer: 1 to 255 bytes, the first not zero, and never
    ///   used by two dealers at once (the router would not hear the second).
    package init(
        endpoint: Endpoint, routingID: PeerID, options: MessagingOptions = MessagingOptions(),
        faults: MessageFaults = .none, security: MessagingSecurity = .none
    ) throws(MessagingError) {
        guard let first = routingID.bytes.first, first != 0, routingID.bytes.count <= 255 else {
            throw .invalidRoutingID(routingID.bytes)
        }
        guard !endpoint.choosesPort else {
            throw .invalidEndpoint(
                found: endpoint.description, reason: "a worker needs the very port that its gateway listens on.")
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
        // The thread closes its socket itself, soon; only close() waits for that.
        thread.requestEnd()
    }

    /// Begins to connect and to receive; call it once.
    ///
    /// It succeeds without a gateway: connecting goes on until one is there.
    /// Both handlers run on the messaging thread, which sends and receives nothing meanwhile: they must
    /// be quick and never wait. They are released when the dealer has closed.
    ///
    /// - Parameter onMessage: is given each message.
    /// - Parameter onUndeliverable: is told of each message that could not be queued.
    /// - Parameter onTrouble: is told, on TCP, each time a connection is refused or breaks off before it stands.
    ///   Connecting goes on all the same.
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

    /// Has the messaging thread call `answer` soon, if it does not hang. Only for one that was started.
    package func probe(_ answer: @escaping @Sendable () -> Void) {
        thread.probe(answer)
    }

    /// Queues one frame for the gateway and returns at once. Messages of one thread keep their order.
    package func send(_ frame: [UInt8]) {
        thread.send(frame, to: nil)
    }

    /// Gives the connection up for a new one, with all that libzmq has queued or received on it; returns at once.
    package func reconnect() {
        thread.requestReconnect()
    }

    /// Sends what is queued (no longer than ``MessagingOptions/linger``) and ends the thread.
    package func close() async {
        await thread.end()
    }
}
