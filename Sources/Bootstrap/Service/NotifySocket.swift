import Foundation
import Settings

/// The datagram socket by which services notify their service manager: sd_notify(3).
struct NotifySocket: Sendable {
    static let variable = "NOTIFY_SOCKET"

    /// The reason why the service manager cannot be notified.
    struct Failure: Error, Equatable, CustomStringConvertible {
        let description: String
    }

    /// How long a datagram may wait for room in the receiver's queue.
    private static let sendTimeout = timeval(tv_sec: 2, tv_usec: 0)

    let address: String

    /// - Parameter address: the path of a socket file, or `@` and a name in the abstract namespace (unix(7)).
    init(address: String) throws(Failure) {
        guard address.hasPrefix("/") || address.hasPrefix("@") && address.utf8.count > 1 else {
            throw Failure(
                description: "\(Self.variable) is \(quoted(address)); allowed: the path of a socket, or @NAME")
        }
        guard address.utf8.count < Self.capacity else {
            throw Failure(
                description: "\(Self.variable) has \(address.utf8.count) bytes; the system allows \(Self.capacity - 1)")
        }
        self.address = address
    }

    /// Sends one datagram of `NAME=VALUE` lines. It may block for two seconds, so it must not run on the cooperative
    /// pool.
    func send(_ lines: [String]) throws(Failure) {
        let descriptor = socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        guard descriptor >= 0 else { throw failure("making a socket") }
        defer { close(descriptor) }
        var sendTimeout = Self.sendTimeout
        setsockopt(descriptor, SOL_SOCKET, SO_SNDTIMEO, &sendTimeout, socklen_t(MemoryLayout<timeval>.size))
        let message = Array(lines.joined(separator: "\n").utf8)
        let sent = withSocketAddress { name, length in
            var sent = -1
            repeat {
                sent = sendto(descriptor, message, message.count, Int32(MSG_NOSIGNAL), name, length)
            } while sent < 0 && errno == EINTR
            return sent
        }
        guard sent == message.count else { throw failure("sending to \(address)") }
    }

    private static let capacity = MemoryLayout.size(ofValue: sockaddr_un().sun_path)

    private func withSocketAddress<Result>(_ body: (UnsafePointer<sockaddr>, socklen_t) -> Result) -> Result {
        var name = sockaddr_un()
        name.sun_family = sa_family_t(AF_UNIX)
        var path = Array(address.utf8)
        // An abstract name begins with a zero byte and has no terminator; the length delimits it.
        if path[0] == UInt8(ascii: "@") { path[0] = 0 } else { path.append(0) }
        withUnsafeMutableBytes(of: &name.sun_path) { $0.copyBytes(from: path) }
        let length = MemoryLayout<sockaddr_un>.offset(of: \.sun_path).map { $0 + path.count } ?? 0
        return withUnsafePointer(to: name) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { body($0, socklen_t(length)) }
        }
    }

    private func failure(_ what: String) -> Failure {
        Failure(description: "\(what): \(String(cString: strerror(errno)))")
    }
}
