import Foundation

/// A TCP connection to a gateway, for what no HTTP client would do.
final class RawConnection: Sendable {
    private let descriptor: Int32

    /// - Parameter baseURL: `http://127.0.0.1:PORT`.
    init(to baseURL: String) throws {
        guard let port = baseURL.split(separator: ":").last.flatMap({ UInt16($0) }) else {
            throw UnexpectedAnswer(description: "no port in \(baseURL)")
        }
        descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
        // So little that whoever writes to it soon has to wait.
        var size: Int32 = 4_096
        setsockopt(descriptor, SOL_SOCKET, SO_RCVBUF, &size, socklen_t(MemoryLayout<Int32>.size))
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        address.sin_addr.s_addr = inet_addr("127.0.0.1")
        let status = withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
        guard status == 0 else {
            close(descriptor)
            throw UnexpectedAnswer(description: "no connection: \(String(cString: strerror(errno)))")
        }
    }

    deinit {
        close(descriptor)
    }

    /// Lets its end be a reset, as that of a process that is killed with unread bytes.
    func resetAtEnd() {
        var option = linger(l_onoff: 1, l_linger: 0)
        setsockopt(descriptor, SOL_SOCKET, SO_LINGER, &option, socklen_t(MemoryLayout<linger>.size))
    }

    func send(_ bytes: [UInt8]) {
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { Glibc.send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL)) }
            guard count > 0 else { return }
            rest = rest.dropFirst(count)
        }
    }

    /// Says that nothing more comes, and wants nothing more.
    func hangUp() {
        shutdown(descriptor, Int32(SHUT_RDWR))
    }

    func send(_ text: String) {
        send(Array(text.utf8))
    }
}
