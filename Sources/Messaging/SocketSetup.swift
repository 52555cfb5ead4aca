import CZeroMQ

/// Everything that is needed to open a socket.
struct SocketSetup: Sendable {
    enum Role: Sendable {
        case router
        case dealer(routingID: PeerID)

        /// Whether each message begins with the peer's routing id.
        var addressesPeers: Bool {
            if case .router = self { true } else { false }
        }
    }

    let role: Role
    let endpoint: Endpoint
    let options: MessagingOptions
    let faults: MessageFaults
    let security: MessagingSecurity

    init(
        role: Role, endpoint: Endpoint, options: MessagingOptions, faults: MessageFaults, security: MessagingSecurity
    ) throws(MessagingError) {
        switch (security, role) {
        case (.none, _):
            guard !endpoint.isNetwork else { throw .unprotected(endpoint) }
        case (.gateway, .router), (.worker, .dealer):
            // A socket file is protected by the mode of its folder instead.
            guard endpoint.isTCP else { throw .unfitSecurity(endpoint) }
        default:
            throw .unfitSecurity(endpoint)
        }
        self.role = role
        self.endpoint = endpoint
        self.options = options
        self.faults = faults
        self.security = security
    }

    /// Opens the socket, ready to be bound or connected.
    func makeSocket() throws(MessagingError) -> ZeroMQSocket {
        let socket = try ZeroMQSocket(type: role.addressesPeers ? ZMQ_ROUTER : ZMQ_DEALER, in: ZeroMQContext())
        try socket.set(ZMQ_MAXMSGSIZE, Int64(options.maximumMessageSize), name: "ZMQ_MAXMSGSIZE")
        try socket.set(ZMQ_LINGER, options.linger.milliseconds, name: "ZMQ_LINGER")
        try socket.set(ZMQ_SNDHWM, Int32(clamping: options.sendHighWaterMark), name: "ZMQ_SNDHWM")
        try socket.set(ZMQ_RCVHWM, Int32(clamping: options.receiveHighWaterMark), name: "ZMQ_RCVHWM")
        try socket.set(ZMQ_HANDSHAKE_IVL, options.handshakeTimeout.milliseconds, name: "ZMQ_HANDSHAKE_IVL")
        try socket.set(ZMQ_TCP_KEEPALIVE, Int32(1), name: "ZMQ_TCP_KEEPALIVE")
        if endpoint.isIPv6 { try socket.set(ZMQ_IPV6, Int32(1), name: "ZMQ_IPV6") }
        try protect(socket)
        if endpoint.isNetwork { try watchLink(of: socket) }
        switch role {
        case .router:
            // Without it, messages to disconnected peers are dropped silently. ZMQ_ROUTER_HANDOVER stays off: with
            // it, a peer that uses the routing id of a connected worker takes over that worker's jobs.
            try socket.set(ZMQ_ROUTER_MANDATORY, Int32(1), name: "ZMQ_ROUTER_MANDATORY")
        case .dealer(let routingID):
            try socket.set(routingID: routingID.bytes)
            try socket.set(ZMQ_RECONNECT_IVL, options.reconnectDelay.milliseconds, name: "ZMQ_RECONNECT_IVL")
            try socket.set(
                ZMQ_RECONNECT_IVL_MAX, options.maximumReconnectDelay.milliseconds, name: "ZMQ_RECONNECT_IVL_MAX")
            // Off: messages queue while there is no connection. So a worker's first HELLO is sent as soon as the
            // gateway runs, rather than with the repetition a second later, and a DONE outlives a restart of the
            // gateway. Other queued messages, such as old heartbeats, are harmless: the job protocol tolerates late and
            // duplicate messages, and the high-water mark bounds their number.
            try socket.set(ZMQ_IMMEDIATE, Int32(0), name: "ZMQ_IMMEDIATE")
        }
        return socket
    }

    /// A monitor, for a dealer on TCP, which reports why it is not connected.
    func makeMonitor(of socket: borrowing ZeroMQSocket) throws(MessagingError) -> SocketMonitor? {
        role.addressesPeers || !endpoint.isTCP ? nil : try SocketMonitor(of: socket)
    }

    private func protect(_ socket: borrowing ZeroMQSocket) throws(MessagingError) {
        switch security {
        case .none: break
        case .gateway(let pair, _):
            try socket.set(ZMQ_CURVE_SERVER, Int32(1), name: "ZMQ_CURVE_SERVER")
            try socket.set(ZMQ_CURVE_SECRETKEY, text: pair.secretKey.reveal(), name: "ZMQ_CURVE_SECRETKEY")
            try socket.set(ZMQ_ZAP_DOMAIN, text: Authenticator.domain, name: "ZMQ_ZAP_DOMAIN")
            // Refuses everybody while no authenticator answers. zmq.h declares it as a draft; the library has it since
            // 4.3.0.
            try socket.set(Self.enforceDomain, Int32(1), name: "ZMQ_ZAP_ENFORCE_DOMAIN")
        case .worker(let pair, let gatewayKey):
            try socket.set(ZMQ_CURVE_PUBLICKEY, text: pair.publicKey.text, name: "ZMQ_CURVE_PUBLICKEY")
            try socket.set(ZMQ_CURVE_SECRETKEY, text: pair.secretKey.reveal(), name: "ZMQ_CURVE_SECRETKEY")
            try socket.set(ZMQ_CURVE_SERVERKEY, text: gatewayKey.text, name: "ZMQ_CURVE_SERVERKEY")
        }
    }

    /// `ZMQ_ZAP_ENFORCE_DOMAIN`.
    private static let enforceDomain: Int32 = 93

    private func watchLink(of socket: borrowing ZeroMQSocket) throws(MessagingError) {
        let timeout = role.addressesPeers ? options.routerLinkTimeout : options.dealerLinkTimeout
        try socket.set(ZMQ_HEARTBEAT_IVL, options.linkHeartbeat.milliseconds, name: "ZMQ_HEARTBEAT_IVL")
        try socket.set(ZMQ_HEARTBEAT_TIMEOUT, timeout.milliseconds, name: "ZMQ_HEARTBEAT_TIMEOUT")
        if !role.addressesPeers {
            try socket.set(ZMQ_CONNECT_TIMEOUT, options.connectTimeout.milliseconds, name: "ZMQ_CONNECT_TIMEOUT")
        }
    }
}

/// The handlers that run on the messaging thread. The peer is `nil` for a dealer.
struct MessageHandlers: Sendable {
    let onMessage: @Sendable (PeerID?, [UInt8]) -> Void
    let onUndeliverable: @Sendable (PeerID?, UndeliverableReason) -> Void
    /// Used by a router with CURVE.
    var onRefusal: @Sendable (Refusal) -> Void = { _ in }
    /// Used by a dealer on TCP.
    var onTrouble: @Sendable (ConnectionTrouble) -> Void = { _ in }
}
