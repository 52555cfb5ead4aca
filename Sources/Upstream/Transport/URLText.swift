import Model

/// Percent-encoding and the composing of a request's URL (RFC 3986).
enum URLText {
    private static let digits = Array("0123456789ABCDEF".utf8)

    /// `text` with everything but RFC 3986's unreserved characters percent-encoded as UTF-8.
    static func encoded(_ text: String) -> String {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(text.utf8.count)
        for byte in text.utf8 {
            if isUnreserved(byte) {
                bytes.append(byte)
            } else {
                bytes += [UInt8(ascii: "%"), digits[Int(byte >> 4)], digits[Int(byte & 0xf)]]
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// The whole address of `request` under `base`, secrets included: for the transport's eyes only.
    static func compose(_ request: UpstreamRequest, under base: BaseURL) throws(UpstreamError) -> String {
        guard request.path.hasPrefix("/") else { throw .invalidRequest("its path does not start with /") }
        guard request.path.utf8.allSatisfy(isAllowedInPath) else {
            throw .invalidRequest("its path holds characters that must be percent-encoded")
        }
        let parameters =
            request.query.map { "\(encoded($0.name))=\(encoded($0.value))" }
            + request.secretQuery.map { "\(encoded($0.name))=\(encoded($0.value.reveal()))" }
        let query = parameters.isEmpty ? "" : "?" + parameters.joined(separator: "&")
        return base.text + request.path + query
    }

    /// Unreserved characters, sub-delimiters, `:`, `@`, `/` and `%`.
    static func isAllowedInPath(_ byte: UInt8) -> Bool {
        isUnreserved(byte) || "!$&'()*+,;=:@/%".utf8.contains(byte)
    }

    private static func isUnreserved(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"):
            true
        default: "-._~".utf8.contains(byte)
        }
    }
}
