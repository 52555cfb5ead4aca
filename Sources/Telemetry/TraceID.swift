/// The identity of a trace, from the header `traceparent` of a request (w3.org/TR/trace-context, section 3.2).
///
/// It appears only in log lines. Upstreams do not receive it, because it would let them link what one person does in
/// different places.
package enum TraceID {
    /// The trace id of a `traceparent`, 32 digits; `nil` for an invalid header, which is ignored.
    package static func parse(_ header: String) -> String? {
        let bytes = Array(header.utf8)
        // version "-" trace-id "-" parent-id "-" flags; a later version may add more after another dash.
        guard bytes.count >= 55, bytes[2] == dash, bytes[35] == dash, bytes[52] == dash,
            [0..<2, 3..<35, 36..<52, 53..<55].allSatisfy({ bytes[$0].allSatisfy(isDigit) })
        else { return nil }
        let version = bytes[0..<2]
        guard version != [f, f], version == [zero, zero] ? bytes.count == 55 : bytes.count == 55 || bytes[55] == dash
        else { return nil }
        guard bytes[3..<35].contains(where: { $0 != zero }), bytes[36..<52].contains(where: { $0 != zero })
        else { return nil }
        return String(decoding: bytes[3..<35], as: UTF8.self)
    }

    private static let dash = UInt8(ascii: "-")
    private static let zero = UInt8(ascii: "0")
    private static let f = UInt8(ascii: "f")

    /// Lower-case hexadecimal, as the standard requires.
    private static func isDigit(_ byte: UInt8) -> Bool {
        (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) || (UInt8(ascii: "a")...UInt8(ascii: "f")).contains(byte)
    }
}
