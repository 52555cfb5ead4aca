import Glibc

/// The kind of a host in text form, without a query to a name server.
package enum NetworkHost: Equatable {
    case ipv4(UInt32)
    /// The 16 bytes of the address.
    case ipv6([UInt8])
    /// Any other text, such as a host name.
    case name

    /// - Parameter text: the host; an IPv6 address has no brackets.
    package init(_ text: String) {
        var (four, six) = (in_addr(), in6_addr())
        if inet_pton(AF_INET, text, &four) == 1 {
            self = .ipv4(UInt32(bigEndian: four.s_addr))
        } else if inet_pton(AF_INET6, text, &six) == 1 {
            self = .ipv6(withUnsafeBytes(of: six) { Array($0) })
        } else {
            self = .name
        }
    }

    /// The 4 or 16 bytes of an address; `nil` for a name.
    package var addressBytes: [UInt8]? {
        switch self {
        case .ipv4(let address): withUnsafeBytes(of: address.bigEndian) { Array($0) }
        case .ipv6(let bytes): bytes
        case .name: nil
        }
    }

    /// 127.0.0.0/8 or ::1.
    package var isLoopback: Bool {
        switch self {
        case .ipv4(let address): address >> 24 == 127
        case .ipv6(let bytes): bytes == Array(repeating: 0, count: 15) + [1]
        case .name: false
        }
    }

    /// Whether a text is a loopback address or `localhost` (RFC 6761).
    package static func isLoopback(_ text: String) -> Bool {
        text.lowercased() == "localhost" || NetworkHost(text).isLoopback
    }

    /// Whether a text is a loopback address, `localhost`, or an address of a private network (RFC 1918, RFC 4193).
    package static func isPrivate(_ text: String) -> Bool {
        if isLoopback(text) { return true }
        return switch NetworkHost(text) {
        case .ipv4(let address): address >> 24 == 10 || address >> 20 == 0xAC1 || address >> 16 == 0xC0A8
        case .ipv6(let bytes): bytes[0] & 0xFE == 0xFC
        case .name: false
        }
    }

    /// The canonical form of an IPv6 address; `nil` for any other text.
    package static func canonical(ipv6 text: String) -> String? {
        var address = in6_addr()
        guard inet_pton(AF_INET6, text, &address) == 1 else { return nil }
        var spelling = [CChar](repeating: 0, count: Int(INET6_ADDRSTRLEN))
        guard inet_ntop(AF_INET6, &address, &spelling, socklen_t(spelling.count)) != nil else { return nil }
        return String(decoding: spelling.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }

    /// Whether a text is an address or a valid host name.
    package static func isHost(_ text: String) -> Bool { NetworkHost(text) != .name || isName(text) }

    /// Whether a text is a valid host name (RFC 1123). Only digits and dots do not count: they are a mistyped address.
    package static func isName(_ text: String) -> Bool {
        let labels = text.split(separator: ".", omittingEmptySubsequences: false)
        return (1...253).contains(text.utf8.count)
            && !text.allSatisfy { $0.isASCII && ($0.isNumber || $0 == ".") }
            && labels.allSatisfy { label in
                (1...63).contains(label.utf8.count) && label.first != "-" && label.last != "-"
                    && label.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "-") }
            }
    }
}
