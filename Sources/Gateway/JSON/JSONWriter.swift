import Model

/// Writes JSON objects member by member. Values that are JSON already are inserted unchanged.
package struct JSONWriter {
    package private(set) var bytes: [UInt8] = []
    private var needsComma = false

    package init(reserving capacity: Int = 512) {
        bytes.reserveCapacity(capacity)
    }

    package static func object(_ body: (inout JSONWriter) -> Void) -> [UInt8] {
        var writer = JSONWriter()
        writer.object(body)
        return writer.bytes
    }

    /// A list that the API returns in one page: `{"items":[{…},…]}`.
    package static func items<Element>(
        _ elements: some Sequence<Element>, _ members: (inout JSONWriter, Element) -> Void
    ) -> [UInt8] {
        object { json in
            json.member("items") { json in
                json.array(elements) { json, element in json.object { members(&$0, element) } }
            }
        }
    }

    // MARK: Structure

    package mutating func object(_ body: (inout JSONWriter) -> Void) {
        separate()
        bytes.append(UInt8(ascii: "{"))
        needsComma = false
        body(&self)
        bytes.append(UInt8(ascii: "}"))
        needsComma = true
    }

    package mutating func array<Element>(
        _ elements: some Sequence<Element>, _ body: (inout JSONWriter, Element) -> Void
    ) {
        separate()
        bytes.append(UInt8(ascii: "["))
        needsComma = false
        for element in elements { body(&self, element) }
        bytes.append(UInt8(ascii: "]"))
        needsComma = true
    }

    package mutating func member(_ name: StaticString, _ body: (inout JSONWriter) -> Void) {
        separate()
        bytes.append(UInt8(ascii: "\""))
        name.withUTF8Buffer { bytes.append(contentsOf: $0) }
        bytes.append(UInt8(ascii: "\""))
        bytes.append(UInt8(ascii: ":"))
        needsComma = false
        body(&self)
        needsComma = true
    }

    private mutating func separate() {
        if needsComma { bytes.append(UInt8(ascii: ",")) }
        needsComma = false
    }

    // MARK: Values

    package mutating func value(_ text: String) {
        separate()
        quote(text)
        needsComma = true
    }

    /// - Parameter text: JSON, inserted unchanged.
    package mutating func raw(_ text: String) {
        separate()
        bytes.append(contentsOf: text.utf8)
        needsComma = true
    }

    package mutating func member(_ name: StaticString, _ text: String?) {
        member(name) { writer in
            if let text { writer.quote(text) } else { writer.raw("null") }
        }
    }

    package mutating func member(_ name: StaticString, _ number: Int?) {
        member(name) { $0.raw(number.map(String.init) ?? "null") }
    }

    /// - Parameter name: without characters that need escaping.
    mutating func member(plain name: String, _ number: Int) {
        separate()
        bytes.append(UInt8(ascii: "\""))
        bytes.append(contentsOf: name.utf8)
        bytes.append(UInt8(ascii: "\""))
        bytes.append(UInt8(ascii: ":"))
        raw(String(number))
    }

    package mutating func member(_ name: StaticString, _ flag: Bool) {
        member(name) { $0.raw(flag ? "true" : "false") }
    }

    package mutating func member(_ name: StaticString, _ timestamp: Timestamp?) {
        member(name, timestamp?.description)
    }

    package mutating func member(_ name: StaticString, raw text: String?) {
        member(name) { $0.raw(text ?? "null") }
    }

    private mutating func quote(_ text: String) {
        bytes.append(UInt8(ascii: "\""))
        var text = text
        text.withUTF8 { utf8 in
            // Most strings are ids, names and times, which need no escaping and are copied in one piece.
            if utf8.contains(where: Self.isEscaped) { escape(utf8) } else { bytes.append(contentsOf: utf8) }
        }
        bytes.append(UInt8(ascii: "\""))
    }

    private static func isEscaped(_ byte: UInt8) -> Bool {
        byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\") || byte < 0x20
    }

    private mutating func escape(_ utf8: UnsafeBufferPointer<UInt8>) {
        for byte in utf8 {
            switch byte {
            case UInt8(ascii: "\""), UInt8(ascii: "\\"):
                bytes.append(UInt8(ascii: "\\"))
                bytes.append(byte)
            case 0x0A: bytes.append(contentsOf: [UInt8(ascii: "\\"), UInt8(ascii: "n")])
            case ..<0x20:
                let digits = Array("0123456789abcdef".utf8)
                bytes.append(contentsOf: Array("\\u00".utf8))
                bytes.append(digits[Int(byte >> 4)])
                bytes.append(digits[Int(byte & 15)])
            default: bytes.append(byte)
            }
        }
    }
}
