import Foundation
import TestSupport

/// A TCP port of 127.0.0.1 that no other process gets while this object lives.
///
/// Its socket is bound but does not listen. So a service that sets `SO_REUSEADDR`, as Backline's do, can listen there,
/// even after a restart. Otherwise a client's connection or another service might have the port by then.
package final class PortReservation: Sendable {
    package let port: UInt16
    private let descriptor: Int32

    package init() throws {
        descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        var reuse: Int32 = 1
        setsockopt(descriptor, SOL_SOCKET, SO_REUSEADDR, &reuse, socklen_t(MemoryLayout<Int32>.size))
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = inet_addr("127.0.0.1")
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let status = withUnsafeMutablePointer(to: &address) { [descriptor] pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
                bind(descriptor, address, length) == 0 && getsockname(descriptor, address, &length) == 0
            }
        }
        port = UInt16(bigEndian: address.sin_port)
        guard status else {
            throw SpawnFailure(description: "no port could be reserved: \(String(cString: strerror(errno)))")
        }
    }

    deinit {
        close(descriptor)
    }
}
