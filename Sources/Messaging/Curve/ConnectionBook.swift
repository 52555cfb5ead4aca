/// What a router knows of its connections: whose they are, and how those ended that never became one.
///
/// libzmq names the descriptor of a connection when it comes and when it goes, not when its handshake succeeds or
/// fails. What failed is the next to go, since both are told by one thread in one breath. A connection that goes
/// without a word of failure was either in use, which its messages told, or no ZeroMQ at all.
///
/// A message may be read before the news that its connection came, and after the news that it went, when another one may
/// have its descriptor. So a message makes no connection known, and of two that had one descriptor the later handshake
/// is the one that stands.
struct ConnectionBook {
    struct Connection: Equatable {
        var address: String?
        /// Its key and handshake, which its messages tell.
        var tag: HandshakeTag?
        /// ``HandshakeTag/text``, as each message bears it.
        var tagText = ""
        /// The routing id that its messages bear.
        var peer: PeerID?
        var isCut = false

        var key: CurvePublicKey? { tag?.key }
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
        remove(descriptor)
        connections[descriptor] = Connection(address: address)
    }

    @discardableResult
    private mutating func remove(_ descriptor: Int32) -> Connection? {
        let connection = connections.removeValue(forKey: descriptor)
        if let peer = connection?.peer, descriptors[peer] == descriptor { descriptors[peer] = nil }
        return connection
    }

    mutating func succeeded() {
        silent += 1
    }

    mutating func failed(_ failure: Failure) {
        self.failure = failure
    }

    /// A connection is over; returns why it was refused, if it was.
    mutating func disconnected(_ descriptor: Int32) -> Refusal? {
        let connection = remove(descriptor)
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

    /// A message came over a connection for the first time, as far as is known here.
    ///
    /// - Returns: whether the connection stands. If not, it has gone, or the news that it came is still to be read: then
    ///   the message says nothing about whose the descriptor is.
    mutating func spoke(_ descriptor: Int32, peer: PeerID, tag: HandshakeTag) -> Bool {
        guard let known = connections[descriptor] else { return false }
        // What an earlier connection of this descriptor still had to say.
        if let present = known.tag, present.number > tag.number { return false }
        if known.tag == nil { silent -= 1 }
        if let former = known.peer, former != peer, descriptors[former] == descriptor { descriptors[former] = nil }
        connections[descriptor] = Connection(
            address: known.address, tag: tag, tagText: tag.text, peer: peer,
            isCut: known.isCut && known.tag == tag)
        descriptors[peer] = descriptor
        return true
    }

    mutating func cut(_ descriptor: Int32) {
        connections[descriptor]?.isCut = true
    }

    /// Whether a connection of a worker of this name, with another key than `key`, stands.
    ///
    /// - Parameter isOpen: whether the descriptor is still that of the connection. One that is closed holds no name,
    ///   whether or not the news of its end was read.
    func holdsName(
        _ name: String, otherThan key: CurvePublicKey, isOpen: (_ descriptor: Int32, Connection) -> Bool
    ) -> Bool {
        connections.contains { descriptor, connection in
            !connection.isCut && connection.key != key && connection.key != nil && connection.peer?.name == name
                && isOpen(descriptor, connection)
        }
    }
}

extension PeerID {
    /// The part of a routing id before the slash: the worker's name.
    var name: String {
        String(decoding: bytes.prefix { $0 != UInt8(ascii: "/") }, as: UTF8.self)
    }
}
