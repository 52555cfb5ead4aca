import CZeroMQ
import Glibc

/// Lets allowed keys in, and everybody else not: the side of a router with CURVE that runs on its messaging thread.
///
/// libzmq asks about a key when a connection is made, and never again. So each connection is remembered with its
/// key, and when that is revoked it is shut down and nothing of it is read any more.
final class Doorkeeper {
    private let authenticator: Authenticator
    private let monitor: SocketMonitor
    private let gate: KeyGate
    private let counters: MessagingCounters
    private let onRefusal: @Sendable (Refusal) -> Void
    private var book = ConnectionBook()
    private var register: KeyRegister
    private var generation: Int
    /// Of the handshake that succeeded last.
    private var latestHandshake: UInt64 = 0

    /// Begins to guard `socket`, which must not be bound yet.
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

    /// What to wait for besides messages.
    var handles: [UnsafeMutableRawPointer] { [authenticator.socket.handle, monitor.socket.handle] }

    /// Does what there is to do, without waiting.
    func serve() {
        let latest = gate.generation.load(ordering: .acquiring)
        if latest != generation {
            generation = latest
            register = gate.register
            cutRefused()
        }
        while let request = authenticator.next() { answer(request) }
        takeEvents()
    }

    // MARK: Handshakes

    private func answer(_ request: Authenticator.Request) {
        guard let key = request.key else {
            authenticator.answer(request, userID: nil)
            return refuse(Refusal(.noCurve, address: request.address))
        }
        switch register.standing(of: key) {
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

    private func takeEvents() {
        while let event = monitor.next() {
            switch event {
            case .accepted(let descriptor): book.accepted(descriptor, address: Self.address(of: descriptor))
            case .handshakeSucceeded: book.succeeded()
            case .handshakeRefused: book.failed(.counted)
            case .handshakeBroken(ZMQ_PROTOCOL_ERROR_ZMTP_MECHANISM_MISMATCH): book.failed(.refused(.noCurve))
            // What the client sealed for a gateway's key cannot be opened with this one's.
            case .handshakeBroken(ZMQ_PROTOCOL_ERROR_ZMTP_CRYPTOGRAPHIC): book.failed(.refused(.gatewayKey))
            case .handshakeBroken: book.failed(.refused(.notZeroMQ))
            case .handshakeEnded: book.failed(.refused(.handshake))
            case .disconnected(let descriptor):
                if let refusal = book.disconnected(descriptor) { refuse(refusal) }
            case .connected: break
            }
        }
    }

    private func refuse(_ refusal: Refusal) {
        counters.refused(refusal.reason)
        onRefusal(refusal)
    }

    // MARK: Messages

    /// Whether the message that was just received may be read.
    ///
    /// - Parameters:
    ///   - peer: the routing id it came with.
    ///   - socket: the router, of whose message the last frame was received.
    func admits(_ peer: PeerID, over socket: borrowing ZeroMQSocket) -> Bool {
        let descriptor = socket.receivedDescriptor
        guard let userID = socket.receivedUserID else { return false }
        if let (known, connection) = book.connection(of: peer), known == descriptor,
            connection.tagText.withCString({ strcmp($0, userID) }) == 0
        {
            return !connection.isCut
        }
        return admitsFirst(peer, descriptor: descriptor, tag: HandshakeTag(String(cString: userID)))
    }

    private func admitsFirst(_ peer: PeerID, descriptor: Int32, tag: HandshakeTag?) -> Bool {
        guard let tag else { return false }
        takeEvents()
        // A message of a connection that does not stand, or not yet, is read or not like any other, and leaves no trace.
        let stands = book.spoke(descriptor, peer: peer, tag: tag)
        let address = book.connections[descriptor]?.address
        guard case .allowed(let keyName) = register.standing(of: tag.key) else {
            if stands { cut(descriptor, peer: peer, key: tag.key) }
            return false
        }
        let isTaken = book.holdsName(peer.name, otherThan: tag.key) { other, connection in
            Self.isConnected(other) && Self.address(of: other) == connection.address
        }
        guard isTaken else { return true }
        if stands {
            shutDown(descriptor)
            refuse(Refusal(.workerName, address: address, key: tag.key, keyName: keyName, peer: peer))
        }
        return false
    }

    // MARK: Revoking

    private func cutRefused() {
        for (descriptor, connection) in book.connections where !connection.isCut {
            guard let key = connection.key, let peer = connection.peer else { continue }
            if case .allowed = register.standing(of: key) { continue }
            cut(descriptor, peer: peer, key: key)
        }
    }

    private func cut(_ descriptor: Int32, peer: PeerID, key: CurvePublicKey) {
        let address = book.connections[descriptor]?.address
        shutDown(descriptor)
        switch register.standing(of: key) {
        case .allowed: break
        case .revoked(let name):
            refuse(Refusal(.revokedKey, address: address, key: key, keyName: name, peer: peer))
        // Taken out of the list altogether.
        case .unknown: refuse(Refusal(.unknownKey, address: address, key: key, peer: peer))
        }
    }

    /// Ends a connection. libzmq has no call for it, and takes a socket that was shut down for one whose other end left.
    private func shutDown(_ descriptor: Int32) {
        let known = book.connections[descriptor]?.address
        book.cut(descriptor)
        // libzmq may have closed it a moment ago, and something else of this process have its number by now.
        guard let known, Self.address(of: descriptor) == known else { return }
        shutdown(descriptor, Int32(SHUT_RDWR))
    }

    /// Whether a descriptor is that of a connection, whoever is at its other end.
    private static func isConnected(_ descriptor: Int32) -> Bool {
        var storage = sockaddr_storage()
        var length = socklen_t(MemoryLayout<sockaddr_storage>.size)
        return withUnsafeMutablePointer(to: &storage) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { getpeername(descriptor, $0, &length) == 0 }
        }
    }

    /// The IP address at the other end of a connection; `nil` when there is none.
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
