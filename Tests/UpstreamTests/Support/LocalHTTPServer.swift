import Foundation
import Model
import Synchronization

/// A small HTTP/1.1 server on a free loopback port that misbehaves as a test requires.
///
/// One thread accepts, one serves each connection. Every request and the end of every connection is recorded.
final class LocalHTTPServer: Sendable {
    struct Arrival: Sendable {
        /// 0 for the first connection, and so on.
        let connection: Int
        let method: String
        let target: String
        let headers: [String: String]
        let body: [UInt8]
        let arrivedAt: MonotonicInstant
    }

    enum Reply: Sendable {
        case answer(status: Int = 200, headers: [String: String] = [:], body: [UInt8] = [], after: Duration = .zero)
        /// These bytes, followed by the end of the connection.
        case raw([UInt8])
        /// These bytes, with the connection left open.
        case opening([UInt8])
        /// The end of the connection instead of an answer.
        case close
        /// No answer until the client gives up.
        case hang
    }

    enum Ending: Sendable, Equatable {
        case closed
        case reset
    }

    /// Requests in the order in which they arrived, as they arrive.
    let arrivals: AsyncStream<Arrival>
    /// How the other side ended its connections, as it happens.
    let endings: AsyncStream<Ending>
    let port: Int

    private struct State {
        var arrivals: [Arrival] = []
        var accepted = 0
        /// Only open connections: the number of a closed descriptor may be in use again.
        var connections: [Int: Int32] = [:]
        var isStopped = false
    }
    private let state = Mutex(State())
    private let listener: Int32
    private let handler: @Sendable (Arrival) -> Reply
    private let arrivalSink: AsyncStream<Arrival>.Continuation
    private let endingSink: AsyncStream<Ending>.Continuation

    init(handler: @escaping @Sendable (Arrival) -> Reply) throws {
        self.handler = handler
        (arrivals, arrivalSink) = AsyncStream.makeStream()
        (endings, endingSink) = AsyncStream.makeStream()
        listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = inet_addr("127.0.0.1")
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let descriptor = listener
        let isReady = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
                bind(descriptor, address, length) == 0 && listen(descriptor, 64) == 0
                    && getsockname(descriptor, address, &length) == 0
            }
        }
        guard isReady else { throw POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO) }
        port = Int(UInt16(bigEndian: address.sin_port))
        Thread { [self] in acceptConnections() }.start()
    }

    var baseURL: String { "http://127.0.0.1:\(port)" }

    /// All requests so far.
    var received: [Arrival] { state.withLock { $0.arrivals } }

    func stop() {
        state.withLock { state in
            state.isStopped = true
            for connection in state.connections.values { shutdown(connection, Int32(SHUT_RDWR)) }
        }
        shutdown(listener, Int32(SHUT_RDWR))
        arrivalSink.finish()
        endingSink.finish()
    }

    private func acceptConnections() {
        while true {
            let connection = accept(listener, nil, nil)
            guard connection >= 0 else { break }
            // A child process of the test must not keep the connection open.
            _ = fcntl(connection, F_SETFD, FD_CLOEXEC)
            let index = state.withLock { state -> Int? in
                guard !state.isStopped else { return nil }
                defer { state.accepted += 1 }
                state.connections[state.accepted] = connection
                return state.accepted
            }
            guard let index else {
                close(connection)
                break
            }
            Thread { [self] in serve(connection, index) }.start()
        }
        close(listener)
    }

    private func serve(_ connection: Int32, _ index: Int) {
        defer {
            state.withLock { state in
                state.connections[index] = nil
                _ = close(connection)
            }
        }
        var reader = RequestReader(connection: connection)
        while true {
            switch reader.next() {
            case .ended:
                endingSink.yield(.closed)
                return
            case .reset:
                endingSink.yield(.reset)
                return
            case .request(let method, let target, let headers, let body):
                let arrival = Arrival(
                    connection: index, method: method, target: target, headers: headers, body: body,
                    arrivedAt: .now())
                state.withLock { $0.arrivals.append(arrival) }
                arrivalSink.yield(arrival)
                guard reply(handler(arrival), on: connection) else { return }
            }
        }
    }

    /// Returns `false` when the connection is to be closed.
    private func reply(_ reply: Reply, on connection: Int32) -> Bool {
        switch reply {
        case .hang: return true
        case .close: return false
        case .opening(let bytes):
            sendAll(bytes, on: connection)
            return true
        case .raw(let bytes):
            sendAll(bytes, on: connection)
            return false
        case .answer(let status, let headers, let body, let delay):
            if delay > .zero { usleep(UInt32(delay.microseconds)) }
            var head = "HTTP/1.1 \(status) Status\r\nContent-Length: \(body.count)\r\n"
            for (name, value) in headers { head += "\(name): \(value)\r\n" }
            sendAll(Array((head + "\r\n").utf8) + body, on: connection)
            return true
        }
    }

    private func sendAll(_ bytes: [UInt8], on connection: Int32) {
        var sent = 0
        while sent < bytes.count {
            let count = bytes[sent...].withUnsafeBytes {
                send(connection, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
            }
            guard count > 0 else { return }
            sent += count
        }
    }
}
