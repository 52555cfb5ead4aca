/// Hosts of the public internet, judged by their text alone. To what addresses a name leads is checked when a
/// connection is made (``PublicAddresses``).
package enum PublicHost {
    /// The ends of names that the public name system does not have, or that mean a network of one's own: RFC 6761,
    /// RFC 6762, RFC 7686, RFC 8375, RFC 9476, and those that ICANN does not delegate.
    private static let specialDomains = [
        "alt", "corp", "example", "home", "home.arpa", "internal", "intranet", "invalid", "lan", "local", "localdomain",
        "localhost", "mail", "onion", "private", "test",
    ]

    /// Whether a text is a public address.
    ///
    /// - Parameter host: an IPv6 address has no brackets.
    package static func isAddress(_ host: String) -> Bool {
        NetworkHost(host).addressBytes.map { PublicAddresses.contain($0) } ?? false
    }

    /// Whether a text is a name of the public name system: in lower case, with at least two labels.
    ///
    /// The last label has to begin with a letter: clients read other names as IPv4 addresses, such as `127.1` and
    /// `0x7f.1` (URL Standard, "ends in a number").
    package static func isName(_ host: String) -> Bool {
        guard NetworkHost.isName(host), host == host.lowercased(), let dot = host.lastIndex(of: ".") else {
            return false
        }
        let last = host[host.index(after: dot)...]
        guard last.utf8.count >= 2, last.first.map({ ("a"..."z").contains($0) }) == true else { return false }
        return !specialDomains.contains { host == $0 || host.hasSuffix("." + $0) }
    }
}
