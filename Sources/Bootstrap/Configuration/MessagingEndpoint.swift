import Foundation
import Messaging

/// Where the gateway and the workers meet.
enum MessagingEndpoint {
    /// The socket in `run/` beside the database: processes that share a database find each other
    /// without further configuration, and two installations never meet.
    static func derived(fromDatabasePath path: String) -> String {
        let folder = (path as NSString).deletingLastPathComponent
        return "ipc://" + (folder as NSString).appendingPathComponent("run/gateway.ipc")
    }

    /// A port that the system chooses (0, `*`) is one that nobody else knows.
    static func isAllowed(_ text: String) -> Bool {
        guard let endpoint = try? Endpoint(text) else { return false }
        if case .tcp(_, let port) = endpoint.transport { return port > 0 }
        return true
    }
}

/// Which TCP endpoints are protected by CURVE; sockets in a private folder need no protection.
package enum MessagingCurve: String, CaseIterable, Sendable {
    /// All but loopback addresses.
    case network
    case always
}
