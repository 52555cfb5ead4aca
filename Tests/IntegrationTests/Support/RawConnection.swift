import Foundation
import TestProcesses
import TestSupport

/// A TCP connection to a gateway, for bytes that no HTTP client would send.
final class RawConnection: Sendable {
    let descriptor: Int32

    /// - Parameters:
    ///   - baseURL: `http://127.0.0.1:PORT`.
    ///   - source: an address of this machine. Each address has its own ports, for thousands of connections.
    ///   - receiveBufferBytes: a small size makes the gateway's writes wait soon.
    init(to baseURL: String, from source: String? = nil, receiveBufferBytes: Int32 = 4_096) throws {
        guard let port = baseURL.split(separator: ":").last.flatMap({ UInt16($0) }) else {
            throw UnexpectedAnswer(description: "no port in \(baseURL)")
        }
        descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
        set(SO_RCVBUF, receiveBufferBytes)
        if let source {
            set(SO_REUSEADDR, Int32(1))
            _ = Self.with(address: source, port: 0) { bind(descriptor, $0, $1) }
        }
        let status = Self.with(address: "127.0.0.1", port: port) { connect(descriptor, $0, $1) }
        guard status == 0 else {
            close(descriptor)
            throw UnexpectedAnswer(description: "no connection: \(String(cString: strerror(errno)))")
        }
    }

    deinit {
        close(descriptor)
    }

    private func set<Value>(_ option: Int32, _ value: Value) {
        withUnsafeBytes(of: value) {
            _ = setsockopt(descriptor, SOL_SOCKET, option, $0.baseAddress, socklen_t($0.count))
        }
    }

    private static func with(
        address: String, port: UInt16, _ body: (UnsafePointer<sockaddr>, socklen_t) -> Int32
    ) -> Int32 {
        var internet = sockaddr_in()
        internet.sin_family = sa_family_t(AF_INET)
        internet.sin_port = port.bigEndian
        internet.sin_addr.s_addr = inet_addr(address)
        return withUnsafePointer(to: &internet) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                body($0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
    }

    /// Makes closing send a reset, as when a process is killed with unread bytes.
    func resetAtEnd() {
        set(SO_LINGER, linger(l_onoff: 1, l_linger: 0))
    }

    // MARK: Sending

    func send(_ bytes: [UInt8]) {
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { Glibc.send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL)) }
            guard count > 0 else { return }
            rest = rest.dropFirst(count)
        }
    }

    /// Shuts down both directions.
    func hangUp() {
        shutdown(descriptor, Int32(SHUT_RDWR))
    }

    func send(_ text: String) {
        send(Array(text.utf8))
    }

    /// Shuts down the sending direction.
    func finish() {
        shutdown(descriptor, Int32(SHUT_WR))
    }

    /// Waits until the gateway has read everything that was sent, according to the kernel's table of its connections
    /// (proc(5)).
    func waitUntilRead() async throws {
        var address = sockaddr_in()
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        _ = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { getsockname(descriptor, $0, &length) }
        }
        // The gateway's side has this connection's address as its remote one, and a count of bytes to be read.
        let port = String(UInt16(bigEndian: address.sin_port), radix: 16, uppercase: true)
        let remote = "0100007F:" + String(repeating: "0", count: 4 - port.count) + port
        try await eventually("the gateway to read what was sent") {
            let table = FileHandle(forReadingAtPath: "/proc/net/tcp")?.readDataToEndOfFile() ?? Data()
            return String(decoding: table, as: UTF8.self).split(separator: "\n").contains { line in
                let fields = line.split(separator: " ", omittingEmptySubsequences: true)
                return fields.count > 4 && fields[2] == remote && fields[4].hasSuffix(":00000000")
            }
        }
    }

    // MARK: Receiving

    /// The next bytes; empty at the end of the connection, however it came.
    ///
    /// Blocks for at most five minutes.
    func receive(upTo count: Int = 65_536) throws -> [UInt8] {
        set(SO_RCVTIMEO, timeval(tv_sec: 300, tv_usec: 0))
        var bytes = [UInt8](repeating: 0, count: count)
        let received = bytes.withUnsafeMutableBytes { recv(descriptor, $0.baseAddress, $0.count, 0) }
        if received < 0, errno == EAGAIN { throw WaitTimeout(description: "Timed out waiting for the gateway.") }
        return Array(bytes.prefix(max(received, 0)))
    }

    /// All bytes until the gateway closes the connection.
    func receiveAll() async throws -> [UInt8] {
        try await onThread {
            var all: [UInt8] = []
            while true {
                let bytes = try self.receive()
                if bytes.isEmpty { return all }
                all += bytes
            }
        }
    }
}

/// The bytes of responses.
struct RawAnswers {
    let text: String

    init(_ bytes: [UInt8]) {
        text = String(decoding: bytes, as: UTF8.self)
    }

    var statuses: [Int] { text.matches(of: #/HTTP/1\.[01] (\d{3}) /#).compactMap { Int($0.1) } }

    /// The codes of the problems in the responses.
    var codes: [String] { text.matches(of: #/"code":"(\w+)"/#).map { String($0.1) } }
}
