/// Spotify's rules for redirect addresses: registered exactly, over HTTPS or on a loopback literal.
enum RedirectAddress {
    private static let literals = ["http://127.0.0.1", "http://[::1]"]

    /// Whether the dashboard and `/authorize` accept the address. They refuse `localhost`.
    ///
    /// They also accept custom schemes of apps.
    static func isSecure(_ address: String) -> Bool {
        guard let colon = address.range(of: "://") else { return false }
        let scheme = address[..<colon.lowerBound].lowercased()
        let host = address[colon.upperBound...].prefix { !"/?#".contains($0) }.lowercased()
        let name = host.hasPrefix("[") ? String(host.prefix { $0 != "]" }) + "]" : String(host.prefix { $0 != ":" })
        switch scheme {
        case "": return false
        case "http": return name == "127.0.0.1" || name == "[::1]"
        default: return !name.isEmpty && name != "localhost"
        }
    }

    /// Whether an address is the registered one: the same text, except that a loopback literal registered without a
    /// port admits every port.
    static func admits(registered: String, _ address: String) -> Bool {
        if address == registered { return true }
        for literal in literals where address.hasPrefix(literal + ":") {
            let rest = address.dropFirst(literal.count + 1)
            let port = rest.prefix { $0.isASCII && $0.isNumber }
            guard UInt16(port) != nil else { return false }
            return literal + rest.dropFirst(port.count) == registered
        }
        return false
    }
}
