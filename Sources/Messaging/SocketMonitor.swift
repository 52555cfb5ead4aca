import CZeroMQ

/// The events of a socket's connections (zmq_socket_monitor(3)).
final class SocketMonitor {
    enum Event: Equatable {
        /// A connection was accepted. The value is its file descriptor.
        case accepted(Int32)
        /// A connection was established. The value is its file descriptor.
        case connected(Int32)
        case handshakeSucceeded
        /// The authenticator refused the connection, with a status such as 400.
        case handshakeRefused(status: Int32)
        /// The value is one of libzmq's `ZMQ_PROTOCOL_ERROR_…`.
        case handshakeBroken(error: Int32)
        /// The connection ended during its handshake, or the handshake timed out. The value is an `errno`.
        case handshakeEnded(code: Int32)
        case disconnected(Int32)
    }

    private static let name = "connections"
    let socket: ZeroMQSocket

    /// Starts monitoring; call it before the socket is bound or connected.
    init(of watched: borrowing ZeroMQSocket) throws(MessagingError) {
        let wanted =
            ZMQ_EVENT_ACCEPTED | ZMQ_EVENT_CONNECTED | ZMQ_EVENT_HANDSHAKE_SUCCEEDED
            | ZMQ_EVENT_HANDSHAKE_FAILED_AUTH | ZMQ_EVENT_HANDSHAKE_FAILED_PROTOCOL
            | ZMQ_EVENT_HANDSHAKE_FAILED_NO_DETAIL | ZMQ_EVENT_DISCONNECTED
        guard zmq_socket_monitor(watched.handle, "inproc://\(Self.name)", wanted) == 0 else {
            throw .lastCall("Watching a ZeroMQ socket")
        }
        socket = try ZeroMQSocket(type: ZMQ_PAIR, in: watched.context)
        try socket.set(ZMQ_LINGER, Int32(0), name: "ZMQ_LINGER")
        // No limit: libzmq's thread blocks on a full queue, and then closing the socket would block forever.
        try socket.set(ZMQ_RCVHWM, Int32(0), name: "ZMQ_RCVHWM")
        try socket.connect(inProcess: Self.name)
    }

    /// Receives the next event; `nil` if there is none.
    func next() -> Event? {
        while socket.receive() {
            let (kind, value) = socket.withReceived { bytes in
                bytes.count < 6
                    ? (0, 0)
                    : (
                        Int32(bytes.loadUnaligned(as: UInt16.self)),
                        bytes.loadUnaligned(fromByteOffset: 2, as: Int32.self)
                    )
            }
            // The second frame is the endpoint, which is the same for all connections.
            while socket.hasMore, socket.receive() {}
            switch kind {
            case ZMQ_EVENT_ACCEPTED: return .accepted(value)
            case ZMQ_EVENT_CONNECTED: return .connected(value)
            case ZMQ_EVENT_HANDSHAKE_SUCCEEDED: return .handshakeSucceeded
            case ZMQ_EVENT_HANDSHAKE_FAILED_AUTH: return .handshakeRefused(status: value)
            case ZMQ_EVENT_HANDSHAKE_FAILED_PROTOCOL: return .handshakeBroken(error: value)
            case ZMQ_EVENT_HANDSHAKE_FAILED_NO_DETAIL: return .handshakeEnded(code: value)
            case ZMQ_EVENT_DISCONNECTED: return .disconnected(value)
            default: continue
            }
        }
        return nil
    }
}
