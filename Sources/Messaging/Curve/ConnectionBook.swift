/// What a router knows of its connections: whose they are, and how those ended that never became one.
///
/// libzmq names the descriptor of a connection when it comes and when it goes, not when its handshake succeeds or
/// fails. What failed is the next to go, since both are told by one thread in one breath. A connection that goes
/// without a word of failure was either in use, which its messages told, or no ZeroMQ at all.
struct ConnectionBook {
    struct Connection: Equatable {
        var address: String?
        var key: CurvePublicKey?
        /// The routing id that its messages bear.
        var peer: PeerID?
        var isCut = false
    }

    /// How a handshake ended, until the connection of it is known.
    enum Failure: Equatable {
        /// To be counted for this reason.
        case refused(Refusal.Reason)
        /// The authenticator has counted it.
        case counted
    }

    private(set) var connections: [Int32: Connection] = [:]
    private var descriptors: [PeerID: Int32] = [:]
    private var failure: Failure?
    /// Handshakes that succeeded, of connections that have not said anything yet.
    private var silent = 0

    mutating func accepted(_ descriptor: Int32, address: String?) {
        connections[descriptor] = Connection(address: address)
    }

    mutating func succeeded() {
        silent += 1
    }

    mutating func failed(_ failure: Failure) {
        self.failure = failure
    }

    /// A connection is over; returns why it was refused, if it was.
    mutating func disconnected(_ descriptor: Int32) -> Refusal? {
        let connection = connections.removeValue(forKey: descriptor)
        if let peer = connection?.peer, descriptors[peer] == descriptor { descriptors[peer] = nil }
        let failure = exchange(&self.failure, with: nil)
        switch failure {
        case .refused(let reason): return Refusal(reason, address: connection?.address)
        case .counted: return nil
        case nil: break
        }
        guard let connection, connection.key == nil else { return nil }
        if silent > 0 {
            silent -= 1
            return nil
        }
        return Refusal(.notZeroMQ, address: connection.address)
    }

    // MARK: Who speaks

    /// The connection that a peer is known to speak over.
    func connection(of peer: PeerID) -> (descriptor: Int32, connection: Connection)? {
        guard let descriptor = descriptors[peer], let connection = connections[descriptor] else { return nil }
        return (descriptor, connection)
    }

    /// A message came over a connection for the first time.
    mutating func spoke(_ descriptor: Int32, peer: PeerID, key: CurvePublicKey) {
        // Its messages may be read before the news that it came.
        if connections[descriptor]?.key == nil { silent -= 1 }
        connections[descriptor, default: Connection()].key = key
        connections[descriptor]?.peer = peer
        descriptors[peer] = descriptor
    }

    mutating func cut(_ descriptor: Int32) {
        connections[descriptor]?.isCut = true
    }

    /// The connection, with another key than `key`, of a worker of the same name.
    func holder(ofName name: String, otherThan key: CurvePublicKey) -> Connection? {
        connections.values.first { connection in
            !connection.isCut && connection.key != key && connection.key != nil && connection.peer?.name == name
        }
    }
}

extension PeerID {
    /// The part of a routing id before the slash: the worker's name.
    var name: String {
        String(decoding: bytes.prefix { $0 != UInt8(ascii: "/") }, as: UTF8.self)
    }
}
