import CZeroMQ

/// The ZAP handler (rfc.zeromq.org/spec/27): libzmq asks it whether a key may connect.
///
/// libzmq asks in each handshake, which waits for the answer.
final class Authenticator {
    /// The ZAP domain of the router.
    static let domain = "backline"

    struct Request: Equatable {
        let id: [UInt8]
        /// The peer's IP address.
        let address: String
        /// `nil` if the mechanism is not CURVE or the request is malformed.
        let key: CurvePublicKey?
    }

    let socket: ZeroMQSocket

    /// - Parameter context: the context of the router. The router must not be bound yet.
    init(in context: ZeroMQContext) throws(MessagingError) {
        socket = try ZeroMQSocket(type: ZMQ_REP, in: context)
        try socket.set(ZMQ_LINGER, Int32(0), name: "ZMQ_LINGER")
        try socket.bind(inProcess: "zeromq.zap.01")
    }

    /// Receives the next request; `nil` if there is none. It must be answered before the next one is received.
    func next() -> Request? {
        guard socket.receive() else { return nil }
        var frames = [socket.withReceived { Array($0) }]
        while socket.hasMore, socket.receive() { frames.append(socket.withReceived { Array($0) }) }
        // version, request id, domain, address, identity, mechanism, credentials
        func text(_ index: Int) -> String {
            index < frames.count ? String(decoding: frames[index], as: UTF8.self) : ""
        }
        let isOurs = text(0) == "1.0" && text(2) == Self.domain && text(5) == "CURVE" && frames.count == 7
        return Request(
            id: frames.count > 1 ? frames[1] : [], address: text(3),
            key: isOurs ? CurvePublicKey(bytes: frames[6]) : nil)
    }

    /// Answers the request that was received last.
    ///
    /// - Parameter userID: what libzmq attaches to each message of the connection; `nil` refuses the connection.
    func answer(_ request: Request, userID: String?) {
        let frames = [
            Array("1.0".utf8), request.id, Array((userID == nil ? "400" : "200").utf8), [],
            Array((userID ?? "").utf8), [],
        ]
        for (index, frame) in frames.enumerated() { _ = socket.send(frame, more: index + 1 < frames.count) }
    }
}
