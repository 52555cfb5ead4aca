import Foundation

/// Where the gateway and the workers meet.
enum MessagingEndpoint {
    /// `sun_path` of a Unix socket holds 108 bytes on Linux, its closing NUL included (unix(7)).
    static let maximumPathBytes = 107

    /// The socket in `run/` beside the database: processes that share a database find each other
    /// without further configuration, and two installations never meet.
    static func derived(fromDatabasePath path: String) -> String {
        let folder = (path as NSString).deletingLastPathComponent
        return "ipc://" + (folder as NSString).appendingPathComponent("run/gateway.ipc")
    }

    /// Messages are not encrypted, so only sockets with file permissions and loopback addresses are let in.
    /// Abstract sockets (`ipc://@…`) have no permissions, and a wildcard (`*`) is an address nobody else knows.
    static func isAllowed(_ text: String) -> Bool {
        if let path = text.droppingPrefix("ipc://") {
            let isPrintable = path.unicodeScalars.allSatisfy { $0.properties.generalCategory != .control }
            return (1...maximumPathBytes).contains(path.utf8.count) && !path.hasPrefix("@") && !path.hasSuffix("/")
                && path != "*" && isPrintable
        }
        guard let address = text.droppingPrefix("tcp://"), let colon = address.lastIndex(of: ":") else { return false }
        var host = address[..<colon]
        if host.hasPrefix("["), host.hasSuffix("]") {
            host = host.dropFirst().dropLast()
        } else if host.contains(":") {
            return false
        }
        let port = address[address.index(after: colon)...]
        guard port.allSatisfy({ $0.isASCII && $0.isNumber }), let number = Int(port) else { return false }
        return (1...65_535).contains(number) && NetworkAddress.isLoopbackAddress(String(host))
    }
}

extension String {
    fileprivate func droppingPrefix(_ prefix: String) -> Substring? {
        hasPrefix(prefix) ? dropFirst(prefix.count) : nil
    }
}
