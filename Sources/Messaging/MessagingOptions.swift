/// Limits and delays of a router or dealer.
package struct MessagingOptions: Sendable {
    /// The largest frame in bytes. libzmq disconnects a peer that sends a larger one; a larger outgoing frame is
    /// reported as undeliverable instead.
    package var maximumMessageSize = 8 * 1024 * 1024

    /// How long closing waits until queued messages have been sent.
    package var linger: Duration = .milliseconds(500)

    /// The most messages queued for one peer; further ones are undeliverable.
    package var sendHighWaterMark = 10_000

    /// The most messages queued from one peer; then libzmq stops reading its connection.
    package var receiveHighWaterMark = 10_000

    /// The first delay before reconnecting; it doubles up to ``maximumReconnectDelay``.
    package var reconnectDelay: Duration = .milliseconds(50)
    package var maximumReconnectDelay: Duration = .seconds(1)

    /// How long a handshake may take before the connection is dropped.
    package var handshakeTimeout: Duration = .seconds(5)

    /// How long a refused dealer waits before it reconnects, which libzmq does not do by itself.
    package var refusedDelay: Duration = .seconds(2)

    /// On a network: how often an idle end sends a heartbeat. A broken link is noticed only by missing heartbeats.
    package var linkHeartbeat: Duration = .seconds(2)

    /// On a network: how long the router waits for traffic before it drops a connection.
    package var routerLinkTimeout: Duration = .seconds(6)

    /// The same for the dealer. It is longer, so that the router has dropped the old connection when the new one
    /// arrives: it ignores a second connection with the same routing id.
    package var dealerLinkTimeout: Duration = .seconds(9)

    /// On a network: how long one attempt to connect may take.
    package var connectTimeout: Duration = .seconds(3)

    package init() {}
}

extension Duration {
    /// Whole milliseconds in the range of libzmq's options.
    var milliseconds: Int32 {
        let (seconds, attoseconds) = components
        guard seconds < Int64(Int32.max) / 1_000 else { return Int32.max }
        return Int32(max(0, seconds * 1_000 + attoseconds / 1_000_000_000_000_000))
    }
}
