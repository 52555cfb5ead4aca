import Foundation

/// Recognises addresses without asking a name server.
enum NetworkAddress {
    /// An IPv4 or IPv6 address, or a name that could be a host's (RFC 1123).
    static func isHost(_ text: String) -> Bool {
        if isIPv4(text) || isIPv6(text) { return true }
        // All digits and dots, and yet no IPv4 address: a slip of the hand, not a name.
        if text.allSatisfy({ $0.isASCII && ($0.isNumber || $0 == ".") }) { return false }
        let labels = text.split(separator: ".", omittingEmptySubsequences: false)
        return (1...253).contains(text.utf8.count)
            && labels.allSatisfy { label in
                (1...63).contains(label.utf8.count) && label.first != "-" && label.last != "-"
                    && label.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "-") }
            }
    }

    /// 127.0.0.0/8, ::1, and the name that RFC 6761 reserves for them.
    static func isLoopback(_ host: String) -> Bool {
        host.lowercased() == "localhost" || isLoopbackAddress(host)
    }

    /// 127.0.0.0/8 or ::1.
    static func isLoopbackAddress(_ host: String) -> Bool {
        if isIPv4(host) { return host.hasPrefix("127.") }
        var address = in6_addr()
        guard inet_pton(AF_INET6, host, &address) == 1 else { return false }
        return withUnsafeBytes(of: address) { $0.elementsEqual([UInt8](repeating: 0, count: 15) + [1]) }
    }

    private static func isIPv4(_ text: String) -> Bool {
        var address = in_addr()
        return inet_pton(AF_INET, text, &address) == 1
    }

    private static func isIPv6(_ text: String) -> Bool {
        var address = in6_addr()
        return inet_pton(AF_INET6, text, &address) == 1
    }
}
