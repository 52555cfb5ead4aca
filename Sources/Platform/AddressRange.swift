/// A network address, or a range of addresses with the same first bits (RFC 4632; RFC 4291, section 2.3).
package struct AddressRange: Sendable, Hashable, CustomStringConvertible {
    package let description: String
    /// The 16 bytes of an IPv6 address. IPv4 addresses are mapped (RFC 4291, section 2.5.5.2).
    private let bytes: [UInt8]
    private let bits: Int

    /// - Parameter text: `192.0.2.1`, `10.0.0.0/8`, `2001:db8::1` or `fd00::/8`.
    package init?(_ text: String) {
        let parts = text.split(separator: "/", maxSplits: 1, omittingEmptySubsequences: false)
        guard let bytes = Self.bytes(ofAddress: String(parts[0])) else { return nil }
        let offset = parts[0].contains(":") ? 0 : 96
        var bits = 128
        if parts.count == 2 {
            // bounded: by the next condition; the readers are in a module above this one
            guard parts[1].utf8.allSatisfy({ (0x30...0x39).contains($0) }), let length = Int(parts[1]),
                (0...128 - offset).contains(length)
            else { return nil }
            bits = length + offset
        }
        (description, self.bytes, self.bits) = (text, bytes, bits)
    }

    /// - Parameter address: 16 bytes of an IPv6 address, or 4 of an IPv4 address.
    package func contains(_ address: some Collection<UInt8>) -> Bool {
        let address = address.count == 4 ? Self.mapped + address : Array(address)
        guard address.count == 16 else { return false }
        let whole = bits / 8
        guard address[..<whole] == bytes[..<whole] else { return false }
        guard whole < 16 else { return true }
        return (address[whole] ^ bytes[whole]) >> (8 - UInt8(bits % 8)) == 0
    }

    private static let mapped = [UInt8](repeating: 0, count: 10) + [0xFF, 0xFF]

    /// The 16 bytes of an address; `nil` for any other text.
    private static func bytes(ofAddress text: String) -> [UInt8]? {
        switch NetworkHost(text) {
        case .ipv4(let address): mapped + withUnsafeBytes(of: address.bigEndian) { Array($0) }
        case .ipv6(let bytes): bytes
        case .name: nil
        }
    }
}
