import Model
import Platform

/// Where a gateway listens and its workers connect: `ipc://PATH` or `tcp://HOST:PORT`.
///
/// A socket in a private folder and a loopback address are local. Any other TCP endpoint is on a network and requires
/// CURVE (``MessagingSecurity``).
package struct Endpoint: Hashable, Sendable {
    package enum Transport: Hashable, Sendable {
        /// The path of a Unix domain socket, at most ``Endpoint/longestSocketPath`` bytes.
        case ipc(path: String)
        /// An IPv4 or IPv6 address (without brackets), or a name. Port 0 lets the system choose one when binding.
        case tcp(host: String, port: UInt16)
    }

    package let transport: Transport

    /// `sockaddr_un.sun_path` has 108 bytes, the last for the terminator (unix(7)).
    package static let longestSocketPath = 107

    init(transport: Transport) {
        self.transport = transport
    }

    /// Whether messages may leave the machine: true for every TCP endpoint except literals in 127.0.0.0/8 and `::1`. A
    /// name such as `localhost` may resolve to any address.
    package var isNetwork: Bool {
        if case .tcp(let host, _) = transport { !NetworkHost(host).isLoopback } else { false }
    }

    package var isTCP: Bool {
        if case .tcp = transport { true } else { false }
    }

    /// Whether the host is a name, which only a worker may use.
    var isNamed: Bool {
        if case .tcp(let host, _) = transport { NetworkHost(host) == .name } else { false }
    }

    /// Whether the host stands for all addresses of the machine, which only a gateway may use.
    var isWildcard: Bool {
        if case .tcp(let host, _) = transport { ["0.0.0.0", "::"].contains(host) } else { false }
    }

    var isIPv6: Bool {
        if case .tcp(let host, _) = transport { host.contains(":") } else { false }
    }

    /// Why a gateway cannot listen here; `nil` for a socket file, and for an error that another endpoint does not mend.
    ///
    /// - Parameter code: the `errno` of binding.
    func bindError(_ code: Int32) -> BindError? {
        guard case .tcp(let host, let port) = transport else { return nil }
        return BindError(
            code: code, host: host, port: Int(port), hostKey: "messaging.endpoint", portKey: "messaging.endpoint")
    }

    /// Whether the port is only known once the endpoint is bound.
    var choosesPort: Bool {
        if case .tcp(_, let port) = transport { port == 0 } else { false }
    }
}

extension Endpoint: CustomStringConvertible {
    /// The endpoint in the form that the configuration and libzmq use.
    package var description: String {
        switch transport {
        case .ipc(let path): "ipc://\(path)"
        case .tcp(let host, let port): "tcp://\(host.contains(":") ? "[\(host)]" : host):\(port)"
        }
    }
}
