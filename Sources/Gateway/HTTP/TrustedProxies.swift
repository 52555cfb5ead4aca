import HTTPTypes
import Hummingbird
import Model
import NIOCore
import Platform

/// The proxies whose `X-Forwarded-For` is trusted (`http.trustedProxies`).
package struct TrustedProxies: Sendable, Equatable {
    private let ranges: [AddressRange]

    package init(_ ranges: [AddressRange] = []) {
        self.ranges = ranges
    }

    /// Whether the configuration names no proxies.
    package var isEmpty: Bool { ranges.isEmpty }

    func contains(_ address: SocketAddress) -> Bool {
        ranges.contains { $0.contains(address.bytes) }
    }

    /// The client's address: the peer, or, if the peer is a trusted proxy, the client that it names in
    /// `X-Forwarded-For`.
    ///
    /// Each proxy appends its own client, so the list is read from the end for as long as the addresses are trusted
    /// proxies. Entries before that can be forged.
    package func client(of request: Request, peer: SocketAddress?) -> SocketAddress? {
        guard var client = peer, !ranges.isEmpty else { return peer }
        let named = request.headers[values: .xForwardedFor].flatMap { $0.split(separator: ",") }
        for text in named.reversed() {
            guard contains(client), let address = try? SocketAddress(ipAddress: Self.address(in: text), port: 0)
            else { break }
            client = address
        }
        return client
    }

    /// The address of `192.0.2.1`, `192.0.2.1:80`, `2001:db8::1` or `[2001:db8::1]:80`.
    private static func address(in text: Substring) -> String {
        let text = text.filter { $0 != " " && $0 != "\t" }
        if text.hasPrefix("[") { return String(text.dropFirst().prefix { $0 != "]" }) }
        let parts = text.split(separator: ":", omittingEmptySubsequences: false)
        return parts.count == 2 ? String(parts[0]) : text
    }
}

extension HTTPField.Name {
    static let xForwardedFor = HTTPField.Name("X-Forwarded-For")!
    /// RFC 7239.
    static let forwarded = HTTPField.Name("Forwarded")!
}

extension SocketAddress {
    /// The address's 4 or 16 bytes; empty for Unix domain sockets.
    fileprivate var bytes: [UInt8] {
        switch self {
        case .v4(let address): withUnsafeBytes(of: address.address.sin_addr) { Array($0) }
        case .v6(let address): withUnsafeBytes(of: address.address.sin6_addr) { Array($0) }
        case .unixDomainSocket: []
        }
    }

    /// The key of one subscriber: an IPv4 address, or the 64-bit prefix of an IPv6 address, since a subscriber has at
    /// least one such prefix (RFC 6177) and may use any address in it; `nil` for Unix domain sockets.
    package var subscriber: String? {
        let bytes = bytes
        switch bytes.count {
        case 4: return bytes.hexadecimal
        case 16:
            // An IPv4-mapped address (RFC 4291, section 2.5.5.2).
            let isMapped = bytes.prefix(10).allSatisfy { $0 == 0 } && bytes[10] == 0xFF && bytes[11] == 0xFF
            return isMapped ? bytes.suffix(4).hexadecimal : bytes.prefix(8).hexadecimal
        default: return nil
        }
    }

    private static let loopback = ["127.0.0.0/8", "::1"].compactMap(AddressRange.init)

    /// Whether it is an address by which a machine reaches itself.
    package var isLoopback: Bool { Self.loopback.contains { $0.contains(bytes) } }
}
