/// How a router or dealer protects its messages.
package enum MessagingSecurity: Sendable {
    /// No protection: for ipc sockets and loopback addresses.
    case none
    /// The gateway's end of CURVE; admits the keys of the gate's register.
    case gateway(CurveKeyPair, KeyGate)
    /// A worker's end of CURVE, with its own pair and the gateway's public key.
    case worker(CurveKeyPair, gatewayKey: CurvePublicKey)
}

/// A connection that was refused or ended.
package struct Refusal: Sendable, Equatable {
    package enum Reason: String, Sendable, CaseIterable {
        /// A key that is not in the allow-list.
        case unknownKey
        /// A key that was revoked, before the handshake or while the connection was open.
        case revokedKey
        /// A ZeroMQ client without CURVE.
        case noCurve
        /// A client that has another public key for this gateway.
        case gatewayKey
        /// A client that does not speak ZeroMQ, or violates its protocol.
        case notZeroMQ
        /// A handshake that was aborted or did not finish in time (``MessagingOptions/handshakeTimeout``).
        case handshake
        /// A worker name that is used by a connected worker with another key.
        case workerName
        /// A frame of another version of the job protocol.
        case protocolVersion
    }

    package var reason: Reason
    /// The peer's IP address, if known.
    package var address: String?
    /// The peer's key, if it sent one.
    package var key: CurvePublicKey?
    /// The key's name in the allow-list.
    package var keyName: String?
    /// The peer's routing id, if it had been admitted before.
    package var peer: PeerID?

    package init(
        _ reason: Reason, address: String? = nil, key: CurvePublicKey? = nil, keyName: String? = nil,
        peer: PeerID? = nil
    ) {
        self.reason = reason
        self.address = address
        self.key = key
        self.keyName = keyName
        self.peer = peer
    }
}

/// Why a worker could not connect.
package enum ConnectionTrouble: Sendable, Hashable, CaseIterable {
    /// The gateway does not allow this worker's key.
    case keyRefused
    /// One of the two ends uses CURVE and the other does not.
    case curveMismatch
    /// The peer closed the connection during the handshake, as a gateway with a different key than expected does.
    case brokenOff
}
