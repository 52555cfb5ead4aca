/// How a router or dealer protects what it sends.
package enum MessagingSecurity: Sendable {
    /// Not at all: for ipc sockets and loopback addresses.
    case none
    /// A gateway's: encrypted, and for the keys of the gate's register alone.
    case gateway(CurveKeyPair, KeyGate)
    /// A worker's: with its own pair, and for the gateway that has the secret of `gatewayKey`.
    case worker(CurveKeyPair, gatewayKey: CurvePublicKey)
}

/// Somebody who was not let in, or not any longer.
package struct Refusal: Sendable, Equatable {
    package enum Reason: String, Sendable, CaseIterable {
        /// A key that is not in the allow-list.
        case unknownKey
        /// A key that was revoked: at the handshake, or of a connection that was open.
        case revokedKey
        /// A ZeroMQ client without CURVE.
        case noCurve
        /// A client that takes this gateway for another one: it has another public key for it.
        case gatewayKey
        /// What is not ZeroMQ, or breaks its rules.
        case notZeroMQ
        /// A handshake that was broken off, or not finished in time (``MessagingOptions/handshakeTimeout``).
        case handshake
        /// A worker name that a connected worker with another key has.
        case workerName
        /// A frame of another version of the job protocol.
        case protocolVersion
    }

    package var reason: Reason
    /// The other end's IP address, where it is known.
    package var address: String?
    /// Its key, where it showed one.
    package var key: CurvePublicKey?
    /// The key's name in the allow-list.
    package var keyName: String?
    /// Who it was, when it had been let in before.
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

/// Why a worker's connection was not made.
package enum ConnectionTrouble: Sendable, Hashable, CaseIterable {
    /// The gateway does not allow this worker's key.
    case keyRefused
    /// One of the two ends uses CURVE and the other does not.
    case curveMismatch
    /// The other end hung up within the handshake, as a gateway with another key than expected does.
    case brokenOff
}
