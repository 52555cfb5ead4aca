import Glibc

/// Why a program cannot listen where its configuration says. The texts are for operators.
package struct BindError: Error, Sendable, Equatable {
    package enum Reason: Sendable, Equatable {
        /// Another program listens there.
        case addressTaken
        /// Only privileged programs may use the port.
        case portReserved
        /// The machine does not have the address.
        case addressNotHere
        /// The host is a name without an address.
        case nameUnknown
    }

    package let reason: Reason
    /// An address or a name. An IPv6 address has no brackets.
    package let host: String
    package let port: Int
    /// The key of the configuration that contains the host.
    package let hostKey: String
    package let portKey: String

    package init(_ reason: Reason, host: String, port: Int, hostKey: String, portKey: String) {
        self.reason = reason
        self.host = host
        self.port = port
        self.hostKey = hostKey
        self.portKey = portKey
    }

    /// - Parameter code: the `errno` of `socket` or `bind` (bind(2), ip(7)).
    /// - Returns: `nil` for an error that no change of the address or the port mends.
    package init?(code: Int32, host: String, port: Int, hostKey: String, portKey: String) {
        let reason: Reason
        switch code {
        case EADDRINUSE: reason = .addressTaken
        case EACCES, EPERM: reason = .portReserved
        // A machine without IPv6 does not have its addresses either.
        case EADDRNOTAVAIL, EAFNOSUPPORT: reason = .addressNotHere
        default: return nil
        }
        self.init(reason, host: host, port: port, hostKey: hostKey, portKey: portKey)
    }
}

extension BindError: CustomStringConvertible {
    package var description: String {
        let place = host.contains(":") ? "[\(host)]:\(port)" : "\(host):\(port)"
        return switch reason {
        case .addressTaken:
            "Another program already listens at \(place) ('ss -ltnp' lists it). Stop it, or change \(portKey)."
        case .portReserved:
            "This program may not listen at \(place): ports below 1024 are usually reserved for privileged programs. "
                + "Set \(portKey) to a higher port, or give the program the capability CAP_NET_BIND_SERVICE."
        case .addressNotHere:
            "Nothing can listen at \(place), because this machine does not have the address \(host). Set \(hostKey) to "
                + "one of its own addresses ('ip address' lists them)."
        case .nameUnknown:
            "Nothing can listen at \(place), because no address of the name \(host) can be found. Set \(hostKey) to an "
                + "address of this machine, such as 127.0.0.1."
        }
    }
}
