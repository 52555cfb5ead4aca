/// Limits and delays of a router or dealer.
package struct MessagingOptions: Sendable {
    /// The largest frame in bytes. A peer that sends a larger one is disconnected by libzmq;
    /// an own frame above it is reported as undeliverable instead of costing the connection.
    package var maximumMessageSize = 8 * 1024 * 1024

    /// How long closing waits for queued messages to leave.
    package var linger: Duration = .milliseconds(500)

    /// Messages queued for one peer before further ones are undeliverable.
    package var sendHighWaterMark = 10_000

    /// Messages queued from one peer before libzmq stops reading its connection.
    package var receiveHighWaterMark = 10_000

    /// The first pause before a lost connection is tried again; it doubles up to ``maximumReconnectDelay``.
    package var reconnectDelay: Duration = .milliseconds(50)
    package var maximumReconnectDelay: Duration = .seconds(1)

    /// A connection that has not said who it is by then is dropped.
    package var handshakeTimeout: Duration = .seconds(5)

    /// How long a dealer that was refused waits before it tries again. libzmq does not do that by itself.
    package var refusedDelay: Duration = .seconds(2)

    /// On a network: how often each end shows that it is there when there is nothing to say. A link that was cut
    /// tells nobody.
    package var linkHeartbeat: Duration = .seconds(2)

    /// On a network: the silence after which the router gives a connection up.
    package var routerLinkTimeout: Duration = .seconds(6)

    /// The same of the dealer. It is longer, so that the router has forgotten the old connection when the new one
    /// comes: it ignores a second connection of one routing id.
    package var dealerLinkTimeout: Duration = .seconds(9)

    /// On a network: how long one attempt to connect may take.
    package var connectTimeout: Duration = .seconds(3)

    package init() {}
}

extension Duration {
    /// Whole milliseconds in the range that libzmq's options take.
    var milliseconds: Int32 {
        let (seconds, attoseconds) = components
        guard seconds < Int64(Int32.max) / 1_000 else { return Int32.max }
        return Int32(max(0, seconds * 1_000 + attoseconds / 1_000_000_000_000_000))
    }
}
