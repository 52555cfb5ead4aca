import CZeroMQ
import Model

/// The loop of the messaging thread: sends queued messages, delivers received ones, waits.
struct SocketLoop: ~Copyable {
    /// The most messages received before the outbox is read again, so that a flood of arrivals does not delay the
    /// answers.
    private static let receiveLimit = 1_000
    /// A larger outbox array, counted in messages, frees its memory after use.
    private static let keptCapacity = 4_096

    private var socket: ZeroMQSocket
    /// The access control of a router with CURVE; other sockets have none.
    private let accessControl: CurveAccessControl?
    /// The monitor of a dealer on TCP; other sockets have none.
    private var monitor: SocketMonitor?
    /// When a refused dealer reconnects.
    private var retryAt: MonotonicInstant?
    private let outbox: Outbox
    private var poll: SocketPoll
    private let counters: MessagingCounters
    private let setup: SocketSetup
    private let handlers: MessageHandlers
    /// The sender of the previous message. Reused when the next one has the same, which saves an allocation.
    private var latestPeer = PeerID(bytes: [])

    init(
        socket: consuming ZeroMQSocket, accessControl: CurveAccessControl?, monitor: SocketMonitor?, outbox: Outbox,
        counters: MessagingCounters, setup: SocketSetup, handlers: MessageHandlers
    ) {
        self.socket = socket
        self.accessControl = accessControl
        self.monitor = monitor
        self.outbox = outbox
        poll = SocketPoll([], orFor: outbox.signal)
        self.counters = counters
        self.setup = setup
        self.handlers = handlers
    }

    /// Runs until the outbox is closed and empty.
    mutating func run() {
        var batch: [Outbox.Message] = []
        var mayHaveArrivals = true
        gatherSockets()
        while true {
            switch outbox.take(into: &batch, sleepsNext: !mayHaveArrivals) {
            case .messages:
                for message in batch { send(message) }
                batch.removeAll(keepingCapacity: batch.capacity <= Self.keptCapacity)
            case .probes(let answers):
                for answer in answers { answer() }
            case .closed:
                return
            case .reconnect:
                replaceSocket()
            case .nothing:
                if !mayHaveArrivals {
                    waitForWork()
                    outbox.readerWoke()
                    counters.wakeUps.count()
                }
            }
            accessControl?.serve()
            if monitor != nil { watchConnection() }
            mayHaveArrivals = receiveArrivals()
        }
    }

    private mutating func waitForWork() {
        let limit = retryAt.map { Int(max(.zero, MonotonicInstant.now().duration(to: $0)).milliseconds) + 1 }
        poll.wait(limit: limit ?? -1)
    }

    private mutating func gatherSockets() {
        var handles = [socket.handle]
        if let accessControl { handles += accessControl.handles }
        if let monitor { handles.append(monitor.socket.handle) }
        poll = SocketPoll(handles, orFor: outbox.signal)
    }

    // MARK: A dealer's connection

    /// Reports failed connections, and reconnects after a refusal, which libzmq does not do.
    private mutating func watchConnection() {
        while let event = monitor?.next() {
            switch event {
            case .handshakeSucceeded: retryAt = nil
            case .handshakeRefused: refused(.keyRefused)
            case .handshakeBroken(ZMQ_PROTOCOL_ERROR_ZMTP_MECHANISM_MISMATCH): refused(.curveMismatch)
            case .handshakeBroken: refused(.brokenOff)
            case .handshakeEnded: handlers.onTrouble(.brokenOff)
            case .accepted, .connected, .disconnected: break
            }
        }
        if let moment = retryAt, MonotonicInstant.now() >= moment {
            retryAt = nil
            replaceSocket()
        }
    }

    private mutating func refused(_ trouble: ConnectionTrouble) {
        retryAt = .now().advanced(by: setup.options.refusedDelay)
        handlers.onTrouble(trouble)
    }

    /// Replaces the socket with a new one; if that fails, for example for lack of file descriptors, keeps the old one.
    private mutating func replaceSocket() {
        do throws(MessagingError) {
            let fresh = try setup.makeSocket()
            let freshMonitor = try setup.makeMonitor(of: fresh)
            try fresh.connect(setup.endpoint)
            // Closing must not wait for messages that nobody reads.
            try socket.set(ZMQ_LINGER, Int32(0), name: "ZMQ_LINGER")
            socket = fresh
            monitor = freshMonitor
            retryAt = nil
            gatherSockets()
            counters.reconnections.count()
        } catch {
            handlers.onUndeliverable(nil, .unreachable)
        }
    }

    // MARK: Sending

    private func send(_ message: Outbox.Message) {
        switch setup.faults.delivery(.outbound, message.frame) {
        case .deliver:
            sendOnce(message)
        case .duplicate:
            counters.duplicatedByFault.count()
            sendOnce(message)
            sendOnce(message)
        case .drop:
            counters.droppedByFault.count()
        }
    }

    private func sendOnce(_ message: Outbox.Message) {
        if let reason = refusal(message) {
            counters.undeliverable.count()
            handlers.onUndeliverable(message.peer, reason)
        } else {
            counters.messagesSent.count()
            counters.bytesSent.count(message.frame.count)
        }
    }

    private func refusal(_ message: Outbox.Message) -> UndeliverableReason? {
        guard message.frame.count <= setup.options.maximumMessageSize else { return .tooLarge }
        // libzmq reports an unknown peer and a full queue at the first frame, so a message is never sent in part.
        if let peer = message.peer, let reason = socket.send(peer.bytes, more: true) { return reason }
        return socket.send(message.frame, more: false)
    }

    // MARK: Receiving

    /// Delivers up to ``receiveLimit`` received messages; returns whether there may be more.
    private mutating func receiveArrivals() -> Bool {
        for _ in 0..<Self.receiveLimit {
            guard socket.receive() else { return false }
            receiveMessage()
        }
        return true
    }

    /// Receives the rest of the message whose first frame was just received, and delivers it.
    private mutating func receiveMessage() {
        var peer: PeerID?
        if setup.role.addressesPeers {
            peer = receivedPeer()
            guard socket.hasMore, socket.receive() else { return counters.malformed.count() }
        }
        guard !socket.hasMore else {
            // A message arrives as a whole, so its other frames are available.
            while socket.hasMore, socket.receive() {}
            return counters.malformed.count()
        }
        if let accessControl, let peer, !accessControl.admits(peer, over: socket) { return }
        let frame = socket.withReceived { Array($0) }
        counters.messagesReceived.count()
        counters.bytesReceived.count(frame.count)
        switch setup.faults.delivery(.inbound, frame) {
        case .deliver:
            handlers.onMessage(peer, frame)
        case .duplicate:
            counters.duplicatedByFault.count()
            handlers.onMessage(peer, frame)
            handlers.onMessage(peer, frame)
        case .drop:
            counters.droppedByFault.count()
        }
    }

    private mutating func receivedPeer() -> PeerID {
        let known = latestPeer
        let peer = socket.withReceived { bytes in
            known.bytes.elementsEqual(bytes) ? known : PeerID(bytes: Array(bytes))
        }
        latestPeer = peer
        return peer
    }
}
