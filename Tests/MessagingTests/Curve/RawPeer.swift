import Foundation
import Testing

@testable import Messaging

/// A TCP connection to a router, for bytes that no ZeroMQ library sends.
final class RawPeer: Sendable {
    private let descriptor: Int32

    init(_ endpoint: Endpoint) throws {
        guard case .tcp(_, let port) = endpoint.transport else { throw MessagingError.closed }
        descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        address.sin_addr.s_addr = inet_addr("127.0.0.1")
        let status = withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
        try #require(status == 0)
    }

    deinit {
        close(descriptor)
    }

    func send(_ bytes: [UInt8]) {
        _ = Glibc.send(descriptor, bytes, bytes.count, Int32(MSG_NOSIGNAL))
    }

    /// Reads until the peer closes the connection, on a thread of its own because it blocks.
    func untilHungUp() async {
        await withCheckedContinuation { done in
            Thread.detachNewThread { [descriptor] in
                var bytes = [UInt8](repeating: 0, count: 4_096)
                while read(descriptor, &bytes, bytes.count) > 0 {}
                done.resume()
            }
        }
    }

    /// The greeting of ZMTP 3.0 (rfc.zeromq.org/spec/23) with a mechanism.
    static func greeting(_ mechanism: String) -> [UInt8] {
        var bytes: [UInt8] = [0xff, 0, 0, 0, 0, 0, 0, 0, 1, 0x7f, 3, 0] + Array(mechanism.utf8)
        bytes += Array(repeating: 0, count: 64 - bytes.count)
        return bytes
    }
}
