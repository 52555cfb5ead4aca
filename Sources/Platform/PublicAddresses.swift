/// The addresses of the internet, as opposed to those of this machine, of private networks and of special uses
/// (iana.org, "IPv4 Special-Purpose Address Registry" and "IPv6 Special-Purpose Address Registry").
package enum PublicAddresses {
    private static let specialIPv4 = ranges([
        "0.0.0.0/8", "10.0.0.0/8", "100.64.0.0/10", "127.0.0.0/8", "169.254.0.0/16", "172.16.0.0/12", "192.0.0.0/24",
        "192.0.2.0/24", "192.88.99.0/24", "192.168.0.0/16", "198.18.0.0/15", "198.51.100.0/24", "203.0.113.0/24",
        "224.0.0.0/3",
    ])
    private static let globalIPv6 = ranges(["2000::/3"])
    /// Protocol assignments, documentation, and 6to4, which contains an IPv4 address.
    private static let specialIPv6 = ranges(["2001::/23", "2001:db8::/32", "2002::/16", "3fff::/20"])
    /// Addresses that contain an IPv4 address in their last four bytes: mapped ones, and those of NAT64 (RFC 6052).
    private static let holdingIPv4 = ranges(["::ffff:0:0/96", "64:ff9b::/96"])

    /// - Parameter address: 4 or 16 bytes.
    package static func contain(_ address: some Collection<UInt8>) -> Bool {
        func isIn(_ ranges: [AddressRange]) -> Bool { ranges.contains { $0.contains(address) } }
        switch address.count {
        case 4: return !isIn(specialIPv4)
        case 16:
            if isIn(holdingIPv4) { return contain(Array(address.suffix(4))) }
            return isIn(globalIPv6) && !isIn(specialIPv6)
        default: return false
        }
    }

    private static func ranges(_ texts: [String]) -> [AddressRange] { texts.compactMap { AddressRange($0) } }
}
