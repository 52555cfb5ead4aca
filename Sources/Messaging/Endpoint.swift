/// Where a gateway listens and its workers connect: `ipc://PATH` or `tcp://HOST:PORT`.
///
/// Messages travel neither encrypted nor authenticated until CURVE comes, so only what
/// stays on this machine is accepted: sockets in a private folder, and loopback
/// addresses written as numbers (a name such as `localhost` can be made to mean anything).
package struct Endpoint: Hashable, Sendable {
    package enum Transport: Hashable, Sendable {
        /// The path of a Unix domain socket, at most ``Endpoint/longestSocketPath`` bytes.
        case ipc(path: String)
        /// A literal of 127.0.0.0/8 or `::1` (without brackets). Port 0 lets the system choose one when binding.
        case tcp(host: String, port: UInt16)
    }

    package let transport: Transport

    /// `sockaddr_un.sun_path` has 108 bytes, the last for the terminator (unix(7)).
    package static let longestSocketPath = 107

    init(transport: Transport) {
        self.transport = transport
    }

    var isIPv6: Bool {
        if case .tcp(let host, _) = transport { host.contains(":") } else { false }
    }

    /// Whether the port is only known once the endpoint is bound.
    var choosesPort: Bool {
        if case .tcp(_, let port) = transport { port == 0 } else { false }
    }
}

extension Endpoint: CustomStringConvertible {
    /// The endpoint as configuration and libzmq write it.
    package var description: String {
        switch transport {
        case .ipc(let path): "ipc://\(path)"
        case .tcp(let host, let port): "tcp://\(host.contains(":") ? "[\(host)]" : host):\(port)"
        }
    }
}
