extension String {
    private static let hexadecimalDigits = Array("0123456789ABCDEF".utf8)

    /// The text with all but unreserved characters (RFC 3986) percent-encoded as UTF-8: for path segments, names and
    /// values of queries, and form fields.
    package var percentEncoded: String {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(utf8.count)
        for byte in utf8 {
            if byte.isUnreservedInURLs {
                bytes.append(byte)
            } else {
                bytes.append(UInt8(ascii: "%"))
                bytes.append(Self.hexadecimalDigits[Int(byte >> 4)])
                bytes.append(Self.hexadecimalDigits[Int(byte & 0xf)])
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}

extension UInt8 {
    /// Whether it is an unreserved character of RFC 3986, which needs no encoding anywhere in a URL.
    package var isUnreservedInURLs: Bool {
        switch self {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"):
            true
        default: "-._~".utf8.contains(self)
        }
    }

    /// Whether it may be in the path of a URL: unreserved characters, sub-delimiters, `:`, `@`, `/` and `%`.
    package var isAllowedInURLPaths: Bool { isUnreservedInURLs || "!$&'()*+,;=:@/%".utf8.contains(self) }
}
