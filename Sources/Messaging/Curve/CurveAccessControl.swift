import CZeroMQ
import Glibc

/// Admits connections with allowed keys to a router with CURVE. Runs on the messaging thread.
///
/// libzmq asks about a key only during the handshake. So each connection is stored with its key; when the key is
/// revoked, the connection is shut down and its further messages are discarded.
final class CurveAccessControl {
    private let authenticator: Authenticator
    private let monitor: SocketMonitor
    private let gate: KeyGate
    private let counters: MessagingCounters
    private let onRefusal: @Sendable (Refusal) -> Void
    private var table = ConnectionTable()
    private var register: KeyRegister
    private var generation: Int
    /// The number of the last successful handshake.
    private var latestHandshake: UInt64 = 0

    /// - Parameter socket: the router's socket, not bound yet.
    init(
        _ socket: borrowing ZeroMQSocket, gate: KeyGate, counters: MessagingCounters,
        onRefusal: @escaping @Sendable (Refusal) -> Void
    ) throws(MessagingError) {
        authenticator = try Authenticator(in: socket.context)
        monitor = try SocketMonitor(of: socket)
        self.gate = gate
        self.counters = counters
        self.onRefusal = onRefusal
        generation = gate.generation.load(ordering: .acquiring)
        register = gate.register
    }

    /// The sockets to poll besides the router's.
    var handles: [UnsafeMutableRawPointer] { [authenticator.socket.handle, monitor.socket.handle] }

    /// Applies a new register, answers handshakes and reads events, without waiting.
    func serve() {
        let latest = gate.generation.load(ordering: .acquiring)
        if latest != generation {
            generation = latest
            register = gate.register
            endRefusedConnections()
        }
        while let request = authenticator.next() { answer(request) }
        drainEvents()
    }

    // MARK: Handshakes

    private func answer(_ request: Authenticator.Request) {
        guard let key = request.key else {
            authenticator.answer(request, userID: nil)
            return refuse(Refusal(.noCurve, address: request.address))
        }
        switch register.status(of: key) {
        case .allowed:
            latestHandshake += 1
            authenticator.answer(request, userID: HandshakeTag(key: key, number: latestHandshake).text)
        case .revoked(let name):
            authenticator.answer(request, userID: nil)
            refuse(Refusal(.revokedKey, address: request.address, key: key, keyName: name))
        case .unknown:
            authenticator.answer(request, userID: nil)
            refuse(Refusal(.unknownKey, address: request.address, key: key))
        }
    }

    private func drainEvents() {
        while let event = monitor.next() {
            switch event {
            case .accepted(let descriptor): table.accepted(descriptor, address: Self.address(of: descriptor))
            case .handshakeSucceeded: table.succeeded()
            case .handshakeRefused: table.failed(.counted)
            case .handshakeBroken(ZMQ_PROTOCOL_ERROR_ZMTP_MECHANISM_MISMATCH): table.failed(.refused(.noCurve))
            // The client encrypted its messages for another gateway's key.
            case .handshakeBroken(ZMQ_PROTOCOL_ERROR_ZMTP_CRYPTOGRAPHIC): table.failed(.refused(.gatewayKey))
            case .handshakeBroken: table.failed(.refused(.notZeroMQ))
            case .handshakeEnded: table.failed(.refused(.handshake))
            case .disconnected(let descriptor):
                if let refusal = table.disconnected(descriptor) { refuse(refusal) }
            case .connected: break
            }
        }
    }

    private func refuse(_ refusal: Refusal) {
        counters.refused(refusal.reason)
        onRefusal(refusal)
    }

    // MARK: Messages

    /// Whether the message that was just received may be delivered.
    ///
    /// - Parameters:
    ///   - peer: the message's routing id.
    ///   - socket: the router's socket, which has received the last frame of the message.
    func admits(_ peer: PeerID, over socket: borrowing ZeroMQSocket) -> Bool {
        let descriptor = socket.receivedDescriptor
        guard let userID = socket.receivedUserID else { return false }
        if let (known, connection) = table.connection(of: peer), known == descriptor,
            connection.tagText.withCString({ strcmp($0, userID) }) == 0
        {
            return !connection.isShutDown
        }
        return admitsFirst(peer, descriptor: descriptor, tag: HandshakeTag(String(cString: userID)))
    }

    private func admitsFirst(_ peer: PeerID, descriptor: Int32, tag: HandshakeTag?) -> Bool {
        guard let tag else { return false }
        drainEvents()
        // A message whose connection is not in the table is admitted like any other, but not recorded.
        let isKnown = table.recordMessage(descriptor, peer: peer, tag: tag)
        let address = table.connections[descriptor]?.address
        guard case .allowed(let keyName) = register.status(of: tag.key) else {
            if isKnown { endConnection(descriptor, peer: peer, key: tag.key) }
            return false
        }
        let isTaken = table.isNameTaken(peer.name, byOtherThan: tag.key) { other, connection in
            Self.isConnected(other) && Self.address(of: other) == connection.address
        }
        guard isTaken else { return true }
        if isKnown {
            shutDown(descriptor)
            refuse(Refusal(.workerName, address: address, key: tag.key, keyName: keyName, peer: peer))
        }
        return false
    }

    // MARK: Revoking

    private func endRefusedConnections() {
        for (descriptor, connection) in table.connections where !connection.isShutDown {
            guard let key = connection.key, let peer = connection.peer else { continue }
            if case .allowed = register.status(of: key) { continue }
            endConnection(descriptor, peer: peer, key: key)
        }
    }

    private func endConnection(_ descriptor: Int32, peer: PeerID, key: CurvePublicKey) {
        let address = table.connections[descriptor]?.address
        shutDown(descriptor)
        switch register.status(of: key) {
        case .allowed: break
        case .revoked(let name):
            refuse(Refusal(.revokedKey, address: address, key: key, keyName: name, peer: peer))
        // The key was removed from the allow-list.
        case .unknown: refuse(Refusal(.unknownKey, address: address, key: key, peer: peer))
        }
    }

    /// Ends a connection. libzmq has no call for that, but it treats a socket that was shut down like one whose peer
    /// left.
    private func shutDown(_ descriptor: Int32) {
        let known = table.connections[descriptor]?.address
        table.markShutDown(descriptor)
        // libzmq may just have closed it, and another file of this process may have its number.
        guard let known, Self.address(of: descriptor) == known else { return }
        shutdown(descriptor, Int32(SHUT_RDWR))
    }

    /// Whether a descriptor is a connected socket.
    private static func isConnected(_ descriptor: Int32) -> Bool {
        var storage = sockaddr_storage()
        var length = socklen_t(MemoryLayout<sockaddr_storage>.size)
        return withUnsafeMutablePointer(to: &storage) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { getpeername(descriptor, $0, &length) == 0 }
        }
    }

    /// The IP address of a connection's peer; `nil` if there is none.
    private static func address(of descriptor: Int32) -> String? {
        var storage = sockaddr_storage()
        var length = socklen_t(MemoryLayout<sockaddr_storage>.size)
        var text = [CChar](repeating: 0, count: Int(NI_MAXHOST))
        let isKnown = withUnsafeMutablePointer(to: &storage) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
                getpeername(descriptor, address, &length) == 0
                    && [AF_INET, AF_INET6].contains(Int32(address.pointee.sa_family))
                    && getnameinfo(address, length, &text, socklen_t(text.count), nil, 0, NI_NUMERICHOST) == 0
            }
        }
        return isKnown ? String(decoding: text.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self) : nil
    }
}
