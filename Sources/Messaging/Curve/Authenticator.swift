import CZeroMQ

/// The end of ZAP (rfc.zeromq.org/spec/27) at which libzmq asks whether a key may connect.
///
/// libzmq asks within each handshake, and waits with it until the answer is there.
final class Authenticator {
    /// What a router's requests are told apart by, were there several routers in one context.
    static let domain = "backline"

    struct Request: Equatable {
        let id: [UInt8]
        /// The other end's IP address.
        let address: String
        /// `nil` when the mechanism was not CURVE, or the request makes no sense.
        let key: CurvePublicKey?
    }

    let socket: ZeroMQSocket

    /// - Parameter context: of the router, which must not be bound yet.
    init(in context: ZeroMQContext) throws(MessagingError) {
        socket = try ZeroMQSocket(type: ZMQ_REP, in: context)
        try socket.set(ZMQ_LINGER, Int32(0), name: "ZMQ_LINGER")
        try socket.bind(inProcess: "zeromq.zap.01")
    }

    /// The next request, which must be answered before the one after it; `nil` when there is none.
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

    /// Answers the request taken last.
    ///
    /// - Parameter userID: what libzmq then puts to each message of the connection; `nil` refuses it.
    func answer(_ request: Request, userID: String?) {
        let frames = [
            Array("1.0".utf8), request.id, Array((userID == nil ? "400" : "200").utf8), [],
            Array((userID ?? "").utf8), [],
        ]
        for (index, frame) in frames.enumerated() { _ = socket.send(frame, more: index + 1 < frames.count) }
    }
}
