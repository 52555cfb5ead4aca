import Platform

/// The parts of the address of a picture or a sound that decide whether it may be fetched.
package struct MediaAddress: Sendable, Hashable {
    /// Whether it is `https`; otherwise it is `http`.
    package let isSecure: Bool
    /// The host in lower case; an IPv6 address has no brackets.
    package let host: String
    /// The port; `nil` for the scheme's default port.
    package let port: Int?
    /// The path and the query, without a fragment; begins with `/`.
    private let target: Substring

    /// The longest address, in bytes.
    package static let maximumLength = 2_000

    /// - Parameter text: `https://HOST/…` or `http://HOST/…`, in visible ASCII, without a user name.
    /// - Returns: `nil` for any other text.
    package init?(_ text: String) {
        let bytes = text.utf8
        guard bytes.count <= Self.maximumLength, bytes.allSatisfy({ (0x21...0x7e).contains($0) && $0 != 0x5c }) else {
            return nil
        }
        let parts = text.split(separator: "/", maxSplits: 3, omittingEmptySubsequences: false)
        guard parts.count == 4, parts[1].isEmpty else { return nil }
        switch parts[0].lowercased() {
        case "https:": isSecure = true
        case "http:": isSecure = false
        default: return nil
        }
        target = text[parts[2].endIndex...].prefix { $0 != "#" }
        let authority = parts[2]
        var portText: Substring?
        if authority.first == "[" {
            guard let end = authority.lastIndex(of: "]"), case let name = authority[..<end].dropFirst(),
                let canonical = NetworkHost.canonical(ipv6: String(name))
            else { return nil }
            host = canonical
            let rest = authority[end...].dropFirst()
            guard rest.isEmpty || rest.first == ":" else { return nil }
            portText = rest.isEmpty ? nil : rest.dropFirst()
        } else {
            let pieces = authority.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
            host = pieces[0].lowercased()
            guard NetworkHost.isHost(host) else { return nil }
            portText = pieces.count == 2 ? pieces[1] : nil
        }
        guard let portText else {
            port = nil
            return
        }
        guard portText.utf8.allSatisfy({ (0x30...0x39).contains($0) }),
            let number = UInt16(decimal: portText, in: 0...(.max))
        else { return nil }
        port = number == (isSecure ? 443 : 80) ? nil : Int(number)
    }

    /// Scheme, host and port.
    package var origin: String {
        let name = host.contains(":") ? "[\(host)]" : host
        return (isSecure ? "https://" : "http://") + name + (port.map { ":\($0)" } ?? "")
    }

    package var path: String { String(target.prefix { $0 != "?" }) }

    /// The query without its question mark; `nil` if there is none.
    package var query: String? { target.firstIndex(of: "?").map { String(target[target.index(after: $0)...]) } }
}
