import Model
import Platform

/// The reason why a text is not JSON, and the byte offset where it was found.
package struct JSONSyntaxError: Error, Equatable {
    package var offset: Int
    package var reason: String
}

/// A strict parser of JSON (RFC 8259) for requests.
///
/// Foundation's decoder cannot return a job's payload byte for byte, nor name the path of an invalid field
/// (`docs/decisions/001-own-json-for-requests.md`).
///
/// Decoded values use at most ``memoryPerByte`` bytes of memory for each byte of the document, and ``memoryBeside``
/// more. A value that is checked but not decoded uses none. The time grows with the length of the document.
package struct JSONParser {
    /// The deepest nesting that is accepted, far more than any request has.
    static let maximumDepth = 64

    /// The most members of a decoded object, far more than any request has.
    static let maximumMembers = 64

    /// The longest name of a member of a decoded object, in bytes.
    static let maximumNameBytes = 1_024

    /// The most decoded values of a document. `[0,0,…` has one for two bytes, and a value takes much more than two
    /// bytes of memory.
    static func maximumValues(bytes: Int) -> Int { 10_000 + bytes / 16 }

    static let memoryPerByte = 12
    static let memoryBeside = 2_000_000

    private let bytes: [UInt8]
    private let maximumValues: Int
    private var values = 0
    private let opaqueMembers: [String]
    private var position = 0
    private var depth = 0

    /// - Parameter opaqueMembers: names of members whose value is checked but not decoded.
    package static func parse(_ bytes: [UInt8], opaqueMembers: [String] = []) throws(JSONSyntaxError) -> JSONNode {
        var parser = JSONParser(bytes: bytes, opaqueMembers: opaqueMembers)
        let node = try parser.readValue(building: true)
        parser.skipBlanks()
        guard parser.position == bytes.count else { throw parser.error("more text after the value") }
        return node
    }

    private init(bytes: [UInt8], opaqueMembers: [String]) {
        self.bytes = bytes
        maximumValues = Self.maximumValues(bytes: bytes.count)
        self.opaqueMembers = opaqueMembers
    }

    private func error(_ reason: String) -> JSONSyntaxError {
        JSONSyntaxError(offset: position, reason: reason)
    }

    private var next: UInt8? { position < bytes.count ? bytes[position] : nil }

    private mutating func skipBlanks() {
        while let byte = next, byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09 { position += 1 }
    }

    /// - Parameter building: whether to decode the value; otherwise it is only checked.
    private mutating func readValue(building: Bool) throws(JSONSyntaxError) -> JSONNode {
        skipBlanks()
        let start = position
        if building {
            values += 1
            guard values <= maximumValues else {
                throw error("more than \(maximumValues) values, which are too many for a document of this length")
            }
        }
        let value: JSONNode.Value
        switch next {
        case UInt8(ascii: "{"): value = try readObject(building: building)
        case UInt8(ascii: "["): value = try readArray(building: building)
        case UInt8(ascii: "\""): value = .string(try readString(building: building))
        case UInt8(ascii: "t"): value = try readWord("true", .bool(true))
        case UInt8(ascii: "f"): value = try readWord("false", .bool(false))
        case UInt8(ascii: "n"): value = try readWord("null", .null)
        case .some(UInt8(ascii: "-")), .some(UInt8(ascii: "0")...UInt8(ascii: "9")):
            value = .number(try readNumber(building: building))
        case .none: throw error("the text ends where a value is expected")
        default: throw error("a value cannot begin here")
        }
        return JSONNode(value: value, range: start..<position)
    }

    private mutating func readWord(_ word: StaticString, _ value: JSONNode.Value) throws(JSONSyntaxError)
        -> JSONNode.Value
    {
        let count = word.utf8CodeUnitCount
        let matches =
            position + count <= bytes.count
            && word.withUTF8Buffer { $0.elementsEqual(bytes[position..<position + count]) }
        guard matches else { throw error("a value cannot begin here") }
        position += count
        return value
    }

    private mutating func descend() throws(JSONSyntaxError) {
        depth += 1
        guard depth <= Self.maximumDepth else { throw error("nested deeper than \(Self.maximumDepth) levels") }
    }

    private mutating func readArray(building: Bool) throws(JSONSyntaxError) -> JSONNode.Value {
        try descend()
        defer { depth -= 1 }
        position += 1
        var elements: [JSONNode] = []
        skipBlanks()
        if next == UInt8(ascii: "]") {
            position += 1
            return .array([])
        }
        while true {
            let element = try readValue(building: building)
            if building { elements.append(element) }
            skipBlanks()
            switch next {
            case UInt8(ascii: ","): position += 1
            case UInt8(ascii: "]"):
                position += 1
                return building ? .array(elements) : .opaque
            default: throw error("expected ',' or ']'")
            }
        }
    }

    private mutating func readObject(building: Bool) throws(JSONSyntaxError) -> JSONNode.Value {
        try descend()
        defer { depth -= 1 }
        position += 1
        var members: [JSONNode.Member] = []
        skipBlanks()
        if next == UInt8(ascii: "}") {
            position += 1
            return .object([])
        }
        while true {
            skipBlanks()
            guard next == UInt8(ascii: "\"") else { throw error("expected a member's name in double quotes") }
            let nameStart = position
            let name = try readString(building: building)
            // Names that are not in a normal form would be normalized for each comparison.
            guard !building || name.utf8.count <= Self.maximumNameBytes else {
                throw JSONSyntaxError(
                    offset: nameStart, reason: "a member's name with more than \(Self.maximumNameBytes) bytes")
            }
            if building, members.contains(where: { $0.name.utf8.elementsEqual(name.utf8) }) {
                throw JSONSyntaxError(offset: nameStart, reason: "the member \"\(name.prefix(40))\" occurs twice")
            }
            skipBlanks()
            guard next == UInt8(ascii: ":") else { throw error("expected ':'") }
            position += 1
            let isOpaque = !building || opaqueMembers.contains(name)
            let value = try readValue(building: !isOpaque)
            if building { members.append(.init(name: name, value: value)) }
            guard members.count <= Self.maximumMembers else {
                throw error("an object with more than \(Self.maximumMembers) members")
            }
            skipBlanks()
            switch next {
            case UInt8(ascii: ","): position += 1
            case UInt8(ascii: "}"):
                position += 1
                return building ? .object(members) : .opaque
            default: throw error("expected ',' or '}'")
            }
        }
    }

    private mutating func readNumber(building: Bool) throws(JSONSyntaxError) -> String {
        let start = position
        if next == UInt8(ascii: "-") { position += 1 }
        if next == UInt8(ascii: "0") {
            position += 1
        } else {
            try readDigits()
        }
        if next == UInt8(ascii: ".") {
            position += 1
            try readDigits()
        }
        if next == UInt8(ascii: "e") || next == UInt8(ascii: "E") {
            position += 1
            if next == UInt8(ascii: "+") || next == UInt8(ascii: "-") { position += 1 }
            try readDigits()
        }
        return building ? String(decoding: bytes[start..<position], as: UTF8.self) : ""
    }

    private mutating func readDigits() throws(JSONSyntaxError) {
        let start = position
        while let byte = next, (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) { position += 1 }
        guard position > start else { throw error("expected a digit") }
    }
}

extension JSONParser {
    private mutating func readString(building: Bool) throws(JSONSyntaxError) -> String {
        position += 1
        let start = position
        var isASCII = true
        while let byte = next, byte != UInt8(ascii: "\""), byte != UInt8(ascii: "\\"), byte >= 0x20 {
            isASCII = isASCII && byte < 0x80
            position += 1
        }
        if next == UInt8(ascii: "\"") {
            defer { position += 1 }
            return isASCII && !building ? "" : try text(bytes[start..<position])
        }
        var buffer = Array(bytes[start..<position])
        while true {
            guard let byte = next else { throw error("the text ends within a string") }
            position += 1
            switch byte {
            case UInt8(ascii: "\""): return try text(buffer[...])
            case UInt8(ascii: "\\"): try readEscape(into: &buffer)
            case ..<0x20:
                position -= 1
                throw error("a control character in a string must be escaped")
            default: buffer.append(byte)
            }
        }
    }

    private func text(_ utf8: ArraySlice<UInt8>) throws(JSONSyntaxError) -> String {
        guard let text = utf8.withUnsafeBufferPointer({ String(checkedUTF8: $0) }) else {
            throw error("the string is not UTF-8")
        }
        return text
    }

    private mutating func readEscape(into buffer: inout [UInt8]) throws(JSONSyntaxError) {
        guard let byte = next else { throw error("the text ends within a string") }
        position += 1
        switch byte {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): buffer.append(byte)
        case UInt8(ascii: "b"): buffer.append(0x08)
        case UInt8(ascii: "f"): buffer.append(0x0C)
        case UInt8(ascii: "n"): buffer.append(0x0A)
        case UInt8(ascii: "r"): buffer.append(0x0D)
        case UInt8(ascii: "t"): buffer.append(0x09)
        case UInt8(ascii: "u"):
            var code = try readHex()
            if (0xD800..<0xDC00).contains(code) {
                guard next == UInt8(ascii: "\\") else { throw error("half of a surrogate pair is missing") }
                position += 1
                guard next == UInt8(ascii: "u") else { throw error("half of a surrogate pair is missing") }
                position += 1
                let low = try readHex()
                guard (0xDC00..<0xE000).contains(low) else { throw error("half of a surrogate pair is missing") }
                code = 0x10000 + (code - 0xD800) << 10 + (low - 0xDC00)
            }
            guard let scalar = Unicode.Scalar(code) else { throw error("this escape does not stand for a character") }
            buffer.append(contentsOf: Array(String(Character(scalar)).utf8))
        default:
            position -= 1
            throw error("this escape does not exist")
        }
    }

    private mutating func readHex() throws(JSONSyntaxError) -> UInt32 {
        guard position + 4 <= bytes.count,
            let digits = String(validating: bytes[position..<position + 4], as: UTF8.self),
            digits.utf8.allSatisfy({ Character(Unicode.Scalar($0)).isHexDigit }), let code = UInt32(digits, radix: 16)
        else { throw error("expected four hexadecimal digits") }
        position += 4
        return code
    }
}
