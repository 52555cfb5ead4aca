import Foundation

/// The receiving end of sd_notify(3): the socket that a service manager binds before it starts a service.
package final class NotificationListener: Sendable {
    /// The value of the service's `NOTIFY_SOCKET`.
    package let address: String
    /// The received datagrams, each as its lines.
    package let messages = Collector<[String]>()
    private let descriptor: Int32

    package struct Failure: Error {
        let reason: String
    }

    /// - Parameter address: the path of a socket that does not exist yet, or `@` and a name.
    package init(address: String) throws {
        self.address = address
        let descriptor = socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        guard Self.withName(address, { bind(descriptor, $0, $1) }) == 0 else {
            defer { close(descriptor) }
            throw Failure(reason: "binding \(address): \(String(cString: strerror(errno)))")
        }
        self.descriptor = descriptor
        Thread.detachNewThread { [messages] in
            var buffer = [UInt8](repeating: 0, count: 8_192)
            while true {
                let count = recv(descriptor, &buffer, buffer.count, 0)
                if count < 0, errno == EINTR { continue }
                // deinit sends an empty datagram to end the thread.
                guard count > 0 else { break }
                messages.append(String(decoding: buffer[..<count], as: UTF8.self).components(separatedBy: "\n"))
            }
            close(descriptor)
        }
    }

    deinit {
        _ = Self.withName(address) { sendto(descriptor, "", 0, 0, $0, $1) }
        if address.hasPrefix("/") { unlink(address) }
    }

    /// The number of watchdog pings.
    package var pings: Int { messages.elements.count { $0.contains("WATCHDOG=1") } }

    /// Waits for a datagram with this line.
    package func wait(for line: String) async {
        await messages.wait { $0.contains { $0.contains(line) } }
    }

    /// Waits for the given number of watchdog pings.
    package func wait(forPings count: Int) async {
        await messages.wait { $0.count { $0.contains("WATCHDOG=1") } >= count }
    }

    private static func withName<Result>(
        _ address: String, _ body: (UnsafePointer<sockaddr>, socklen_t) -> Result
    ) -> Result {
        var name = sockaddr_un()
        name.sun_family = sa_family_t(AF_UNIX)
        let isAbstract = address.hasPrefix("@")
        let bytes = isAbstract ? [0] + address.utf8.dropFirst() : Array(address.utf8) + [0]
        withUnsafeMutableBytes(of: &name.sun_path) { $0.copyBytes(from: bytes) }
        let length = MemoryLayout<sockaddr_un>.size - MemoryLayout.size(ofValue: name.sun_path) + bytes.count
        return withUnsafePointer(to: name) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { body($0, socklen_t(length)) }
        }
    }
}
