import Foundation
import Messaging
import Settings

/// The ZeroMQ endpoint of the gateway and the workers.
enum MessagingEndpoint {
    /// The socket in `run/` beside the database. Processes that share a database find each other without further
    /// configuration, and two installations never share a socket.
    static func derived(fromDatabasePath path: String) -> String {
        let folder = (path as NSString).deletingLastPathComponent
        return "ipc://" + (folder as NSString).appendingPathComponent("run/gateway.ipc")
    }

    /// Whether an endpoint can be configured. A port chosen by the system (0, `*`) cannot: workers would not know it.
    static func isAllowed(_ text: String) -> Bool {
        guard let endpoint = try? Endpoint(text) else { return false }
        if case .tcp(_, let port) = endpoint.transport { return port > 0 }
        return true
    }
}

extension ConfigurationRule where Value == String {
    /// The ZeroMQ endpoint of gateway and workers.
    static var endpoint: Self {
        text(
            "ipc:// and the path of a socket of at most \(Endpoint.longestSocketPath) bytes,"
                + " or tcp://HOST:PORT (an IPv6 address in brackets)"
        ) { MessagingEndpoint.isAllowed($0) }
    }
}

/// Which TCP endpoints CURVE protects. Unix sockets need no protection, since their folder is private.
package enum MessagingCurve: String, CaseIterable, Sendable {
    /// All TCP endpoints except those on loopback addresses.
    case network
    /// All TCP endpoints.
    case always
}
