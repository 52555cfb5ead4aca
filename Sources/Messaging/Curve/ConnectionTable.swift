/// The connections of a router: their peers and keys, and why handshakes failed.
///
/// libzmq's monitor names the descriptor when a connection is accepted or ends, but not when its handshake succeeds or
/// fails. A failed handshake belongs to the connection that ends next, because one thread reports both, one after the
/// other. A connection that ends without a failure either had a successful handshake or was not ZeroMQ.
///
/// Messages and monitor events are not ordered. A message may be read before the event for the acceptance of its
/// connection, or after the event for its end, when another connection may already have its descriptor. So a message
/// adds no connection to the table, and of two connections with one descriptor the one with the later handshake counts.
struct ConnectionTable {
    struct Connection: Equatable {
        var address: String?
        /// Its key and handshake number; `nil` before its first message.
        var tag: HandshakeTag?
        /// ``HandshakeTag/text``, as it is attached to each message.
        var tagText = ""
        /// The routing id of its messages; `nil` before the first.
        var peer: PeerID?
        /// Whether this process has shut it down.
        var isShutDown = false

        var key: CurvePublicKey? { tag?.key }
    }

    /// A failed handshake whose connection is not known yet.
    enum Failure: Equatable {
        /// The failure has to be reported with this reason.
        case refused(Refusal.Reason)
        /// The authenticator has reported it already.
        case counted
    }

    private(set) var connections: [Int32: Connection] = [:]
    private var descriptors: [PeerID: Int32] = [:]
    private var failure: Failure?
    /// The number of successful handshakes whose connections have sent no message yet. It is -1 after a message that
    /// was read before its handshake's event.
    private var unidentified = 0

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
        unidentified += 1
    }

    mutating func failed(_ failure: Failure) {
        self.failure = failure
    }

    /// Removes a connection that has ended.
    ///
    /// - Returns: why it was refused; `nil` if it was not, or if that has already been reported.
    mutating func disconnected(_ descriptor: Int32) -> Refusal? {
        let connection = remove(descriptor)
        let failure = exchange(&self.failure, with: nil)
        switch failure {
        case .refused(let reason): return Refusal(reason, address: connection?.address)
        case .counted: return nil
        case nil: break
        }
        guard let connection, connection.key == nil else { return nil }
        if unidentified > 0 {
            unidentified -= 1
            return nil
        }
        return Refusal(.notZeroMQ, address: connection.address)
    }

    // MARK: Messages

    /// The latest connection of a peer, with its descriptor.
    func connection(of peer: PeerID) -> (descriptor: Int32, connection: Connection)? {
        guard let descriptor = descriptors[peer], let connection = connections[descriptor] else { return nil }
        return (descriptor, connection)
    }

    /// Records the first message of a peer over a connection.
    ///
    /// - Returns: whether the table contains the connection. If not, it has ended, or the event for its acceptance has
    ///   not been read yet; then the message says nothing about the descriptor.
    mutating func recordMessage(_ descriptor: Int32, peer: PeerID, tag: HandshakeTag) -> Bool {
        guard let known = connections[descriptor] else { return false }
        // This is a late message of an earlier connection with this descriptor.
        if let present = known.tag, present.number > tag.number { return false }
        if known.tag == nil { unidentified -= 1 }
        if let former = known.peer, former != peer, descriptors[former] == descriptor { descriptors[former] = nil }
        connections[descriptor] = Connection(
            address: known.address, tag: tag, tagText: tag.text, peer: peer,
            isShutDown: known.isShutDown && known.tag == tag)
        descriptors[peer] = descriptor
        return true
    }

    mutating func markShutDown(_ descriptor: Int32) {
        connections[descriptor]?.isShutDown = true
    }

    /// Whether an open connection with another key than `key` uses this worker name.
    ///
    /// - Parameter isOpen: whether the descriptor still belongs to the connection. A closed one uses no name, even
    ///   before the event for its end was read.
    func isNameTaken(
        _ name: String, byOtherThan key: CurvePublicKey, isOpen: (_ descriptor: Int32, Connection) -> Bool
    ) -> Bool {
        connections.contains { descriptor, connection in
            !connection.isShutDown && connection.key != key && connection.key != nil && connection.peer?.name == name
                && isOpen(descriptor, connection)
        }
    }
}

extension PeerID {
    /// The worker's name: the part of the routing id before the first slash.
    var name: String {
        String(decoding: bytes.prefix { $0 != UInt8(ascii: "/") }, as: UTF8.self)
    }
}
