import CZeroMQ
import Glibc

/// A ZeroMQ socket.
///
/// It is noncopyable and not sendable: the thread whose function owns it makes, uses and closes it, as libzmq requires.
struct ZeroMQSocket: ~Copyable {
    let context: ZeroMQContext
    let handle: UnsafeMutableRawPointer
    /// The frame that was received last. Its address is stable, as libzmq requires.
    private let message: UnsafeMutablePointer<zmq_msg_t>

    /// - Parameter type: such as `ZMQ_ROUTER`.
    init(type: Int32, in context: ZeroMQContext) throws(MessagingError) {
        guard let handle = zmq_socket(context.handle, type) else { throw .lastCall("Creating a ZeroMQ socket") }
        self.context = context
        self.handle = handle
        message = .allocate(capacity: 1)
        zmq_msg_init(message)
    }

    deinit {
        zmq_msg_close(message)
        message.deallocate()
        zmq_close(handle)
    }

    // MARK: Options and endpoints

    func set(_ option: Int32, _ value: some FixedWidthInteger, name: String) throws(MessagingError) {
        let status = withUnsafeBytes(of: value) { zmq_setsockopt(handle, option, $0.baseAddress, $0.count) }
        guard status == 0 else { throw .lastCall("Setting \(name) to \(value)") }
    }

    func set(routingID: [UInt8]) throws(MessagingError) {
        guard zmq_setsockopt(handle, ZMQ_ROUTING_ID, routingID, routingID.count) == 0 else {
            throw .lastCall("Setting ZMQ_ROUTING_ID")
        }
    }

    func set(_ option: Int32, text: String, name: String) throws(MessagingError) {
        guard zmq_setsockopt(handle, option, text, text.utf8.count) == 0 else { throw .lastCall("Setting \(name)") }
    }

    /// Binds a name that is visible only to sockets of the same context.
    func bind(inProcess name: String) throws(MessagingError) {
        guard zmq_bind(handle, "inproc://\(name)") == 0 else { throw .lastCall("Binding inproc://\(name)") }
    }

    func connect(inProcess name: String) throws(MessagingError) {
        guard zmq_connect(handle, "inproc://\(name)") == 0 else { throw .lastCall("Connecting to inproc://\(name)") }
    }

    /// Binds the endpoint and returns it, with the port that the system chose if it left that open.
    func bind(_ endpoint: Endpoint) throws(MessagingError) -> Endpoint {
        while zmq_bind(handle, endpoint.description) != 0 {
            let code = zmq_errno()
            if code == EINTR { continue }
            if let error = endpoint.bindError(code) { throw .cannotListen(error) }
            throw .callFailed(operation: "Binding \(endpoint)", code: code)
        }
        return endpoint.choosesPort ? try lastEndpoint() : endpoint
    }

    func connect(_ endpoint: Endpoint) throws(MessagingError) {
        while zmq_connect(handle, endpoint.description) != 0 {
            guard zmq_errno() == EINTR else { throw .lastCall("Connecting to \(endpoint)") }
        }
    }

    private func lastEndpoint() throws(MessagingError) -> Endpoint {
        var text = [UInt8](repeating: 0, count: 256)
        var length = text.count
        guard zmq_getsockopt(handle, ZMQ_LAST_ENDPOINT, &text, &length) == 0 else {
            throw .lastCall("Reading ZMQ_LAST_ENDPOINT")
        }
        return try Endpoint(String(decoding: text[..<max(0, length - 1)], as: UTF8.self))
    }

    // MARK: Messages

    /// Queues one frame without waiting.
    ///
    /// - Returns: why libzmq did not accept the frame; `nil` if it did.
    func send(_ frame: [UInt8], more: Bool) -> UndeliverableReason? {
        let flags = ZMQ_DONTWAIT | (more ? ZMQ_SNDMORE : 0)
        while true {
            let status = frame.withUnsafeBytes { zmq_send(handle, $0.baseAddress, $0.count, flags) }
            if status >= 0 { return nil }
            switch zmq_errno() {
            case EINTR: continue
            case EAGAIN: return .queueFull
            case EHOSTUNREACH: return .unreachable
            case let code: return .refused(code)
            }
        }
    }

    /// Receives the next frame without waiting; returns `false` if there is none. The frame is valid until the next
    /// call.
    func receive() -> Bool {
        while true {
            if zmq_msg_recv(message, handle, ZMQ_DONTWAIT) >= 0 { return true }
            switch zmq_errno() {
            case EINTR: continue
            case EAGAIN: return false
            // The other errors mean that the handle is not an open socket. This value owns it, so memory is damaged,
            // and continuing would spin: exit here and let the supervisor restart the process.
            case let code: fatalError("zmq_msg_recv: \(String(cString: zmq_strerror(code)))")
            }
        }
    }

    /// Whether another frame of the same message follows the one that was received last.
    var hasMore: Bool { zmq_msg_more(message) != 0 }

    /// Calls `body` with the bytes of the frame that was received last.
    func withReceived<Result>(_ body: (UnsafeRawBufferPointer) -> Result) -> Result {
        body(UnsafeRawBufferPointer(start: zmq_msg_data(message), count: zmq_msg_size(message)))
    }

    /// The file descriptor of the connection of the frame that was received last (`ZMQ_SRCFD`); -1 if it is unknown.
    var receivedDescriptor: Int32 { zmq_msg_get(message, ZMQ_SRCFD) }

    /// The user id that the authenticator gave to the connection of the frame that was received last
    /// (rfc.zeromq.org/spec/27); valid until the next frame.
    var receivedUserID: UnsafePointer<CChar>? { zmq_msg_gets(message, "User-Id") }
}

/// Waits for several sockets and a signal at once.
///
/// `zmq_poll` polls the sockets themselves, which avoids the edge-triggered `ZMQ_FD`.
struct SocketPoll {
    private let signal: WakeUpSignal
    /// The item of the signal, then those of the sockets. Stored, so that waiting does not allocate.
    private var items: [zmq_pollitem_t]

    init(_ sockets: [UnsafeMutableRawPointer], orFor signal: WakeUpSignal) {
        self.signal = signal
        items = [zmq_pollitem_t(socket: nil, fd: signal.descriptor, events: Int16(ZMQ_POLLIN), revents: 0)]
        items += sockets.map { zmq_pollitem_t(socket: $0, fd: 0, events: Int16(ZMQ_POLLIN), revents: 0) }
    }

    /// Waits until one of the sockets has a message or the signal is raised, and clears the signal.
    ///
    /// - Parameter limit: the longest wait in milliseconds; -1 for no limit.
    mutating func wait(limit: Int) {
        guard zmq_poll(&items, Int32(items.count), limit) >= 0 else {
            let code = zmq_errno()
            guard code == EINTR else { fatalError("zmq_poll: \(String(cString: zmq_strerror(code)))") }
            return
        }
        if items[0].revents != 0 { signal.clear() }
    }
}
