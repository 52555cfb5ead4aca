import Model
import Platform

/// Parses one JSON value (RFC 8259), as ``JSONScanner`` finds it.
///
/// Foundation's decoder takes a few microseconds for each value whose type is not the expected one, so a hostile file
/// of a megabyte would take seconds. The time and memory that this parser takes depend on the number of bytes only: at
/// most about 30 bytes of memory for each, and 40 MiB for a value with the most parts.
struct JSONValueParser {
    /// The deepest nesting; listens and songs have about five.
    private static let mostDepth = 32
    /// The most values within one value. A page of 1,000 listens has some 60,000.
    private static let mostValues = 250_000

    private struct Damage: Error {}

    private let bytes: [UInt8]
    private var position = 0
    private var depth = 0
    private var values = 0

    /// - Returns: `nil` for bytes that are not exactly one value, or that exceed a limit.
    static func value(of bytes: [UInt8]) -> JSONValue? {
        var parser = JSONValueParser(bytes: bytes)
        guard let value = try? parser.value() else { return nil }
        parser.skipBlanks()
        return parser.position == bytes.count ? value : nil
    }

    private init(bytes: [UInt8]) { self.bytes = bytes }

    private var next: UInt8? { position < bytes.count ? bytes[position] : nil }

    private mutating func skipBlanks() {
        while let byte = next, byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09 { position += 1 }
    }

    /// Consumes a character if it is the next one after white space.
    private mutating func takes(_ character: Unicode.Scalar) -> Bool {
        skipBlanks()
        guard next == UInt8(ascii: character) else { return false }
        position += 1
        return true
    }

    private mutating func value() throws(Damage) -> JSONValue {
        values += 1
        guard values <= Self.mostValues else { throw Damage() }
        skipBlanks()
        switch next {
        case 0x22: return .text(try text())
        case 0x7B: return .object(try object())
        case 0x5B: return .array(try array())
        case 0x74: return try word("true", .flag(true))
        case 0x66: return try word("false", .flag(false))
        case 0x6E: return try word("null", .null)
        default: return try number()
        }
    }

    private mutating func word(_ word: StaticString, _ value: JSONValue) throws(Damage) -> JSONValue {
        let end = position + word.utf8CodeUnitCount
        guard end <= bytes.count, word.withUTF8Buffer({ $0.elementsEqual(bytes[position..<end]) }) else {
            throw Damage()
        }
        position = end
        return value
    }

    private mutating func open() throws(Damage) {
        position += 1
        depth += 1
        guard depth <= Self.mostDepth else { throw Damage() }
    }

    private mutating func array() throws(Damage) -> [JSONValue] {
        try open()
        defer { depth -= 1 }
        var elements: [JSONValue] = []
        if takes("]") { return elements }
        while true {
            elements.append(try value())
            if takes("]") { return elements }
            guard takes(",") else { throw Damage() }
        }
    }

    /// If several members have the same name, the last one counts.
    private mutating func object() throws(Damage) -> [String: JSONValue] {
        try open()
        defer { depth -= 1 }
        var members: [String: JSONValue] = [:]
        if takes("}") { return members }
        while true {
            skipBlanks()
            guard next == 0x22 else { throw Damage() }
            let name = try text()
            guard takes(":") else { throw Damage() }
            members[name] = try value()
            if takes("}") { return members }
            guard takes(",") else { throw Damage() }
        }
    }

    /// A number by the grammar of RFC 8259, section 6.
    private mutating func number() throws(Damage) -> JSONValue {
        let start = position
        if next == 0x2D { position += 1 }
        let first = position
        try digits()
        guard bytes[first] != 0x30 || position == first + 1 else { throw Damage() }
        if next == 0x2E {
            position += 1
            try digits()
        }
        if next == 0x45 || next == 0x65 {
            position += 1
            if next == 0x2B || next == 0x2D { position += 1 }
            try digits()
        }
        // Most numbers are short and whole, and creating a string for each would take a microsecond.
        if position - start <= 15, bytes[start..<position].allSatisfy({ (0x30...0x39).contains($0) }) {
            return .number(Double(bytes[start..<position].reduce(0) { $0 * 10 + Int($1 - 0x30) }))
        }
        let text = bytes[start..<position].withUnsafeBufferPointer { String(decoding: $0, as: UTF8.self) }
        if let number = Int(decimal: text, in: -(1 << 53)...(1 << 53)) { return .number(Double(number)) }
        // A number beyond anything that songs have, or with too many digits, counts as missing.
        return Double(decimal: text, in: -1e300...1e300).map { .number($0) } ?? .null
    }

    private mutating func digits() throws(Damage) {
        let start = position
        while let byte = next, (0x30...0x39).contains(byte) { position += 1 }
        guard position > start else { throw Damage() }
    }

    private mutating func text() throws(Damage) -> String {
        position += 1
        let start = position
        var unescaped: [UInt8]?
        while let byte = next {
            position += 1
            switch byte {
            case 0x22:
                let text =
                    unescaped.map { $0.withUnsafeBufferPointer { String(checkedUTF8: $0) } }
                    ?? bytes[start..<position - 1].withUnsafeBufferPointer { String(checkedUTF8: $0) }
                guard let text else { throw Damage() }
                return text
            case 0x5C:
                if unescaped == nil { unescaped = Array(bytes[start..<position - 1]) }
                try escape(into: &unescaped)
            case 0..<0x20: throw Damage()
            default: unescaped?.append(byte)
            }
        }
        throw Damage()
    }

    private mutating func escape(into text: inout [UInt8]?) throws(Damage) {
        guard let byte = next else { throw Damage() }
        position += 1
        switch byte {
        case 0x22, 0x5C, 0x2F: text?.append(byte)
        case 0x62: text?.append(0x08)
        case 0x66: text?.append(0x0C)
        case 0x6E: text?.append(0x0A)
        case 0x72: text?.append(0x0D)
        case 0x74: text?.append(0x09)
        case 0x75:
            var code = try hexadecimal()
            if (0xD800..<0xDC00).contains(code) {
                guard next == 0x5C, position + 1 < bytes.count, bytes[position + 1] == 0x75 else { throw Damage() }
                position += 2
                let low = try hexadecimal()
                guard (0xDC00..<0xE000).contains(low) else { throw Damage() }
                code = 0x10000 + (code - 0xD800) << 10 + (low - 0xDC00)
            }
            guard let scalar = Unicode.Scalar(code) else { throw Damage() }
            text?.append(contentsOf: Array(String(Character(scalar)).utf8))
        default: throw Damage()
        }
    }

    private mutating func hexadecimal() throws(Damage) -> UInt32 {
        guard position + 4 <= bytes.count else { throw Damage() }
        var code: UInt32 = 0
        for _ in 0..<4 {
            guard let digit = Character(Unicode.Scalar(bytes[position])).hexDigitValue else { throw Damage() }
            code = code << 4 | UInt32(digit)
            position += 1
        }
        return code
    }
}
