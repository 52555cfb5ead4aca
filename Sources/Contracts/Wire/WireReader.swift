import Platform

/// Why a frame could not be decoded. The frame is dropped: every message may be lost without harm.
package enum WireError: Error, Sendable, Equatable {
    case truncated
    case notUTF8
    case unknownType(UInt8)
    case unknownProtocol(UInt8)
    case unknownValue
    case trailingBytes(Int)
}

/// Decodes a frame of ``WireWriter``, without reading past its end.
package struct WireReader {
    private let bytes: [UInt8]
    private var position = 0

    package init(_ bytes: [UInt8]) {
        self.bytes = bytes
    }

    private mutating func readBytes(_ count: Int) throws -> ArraySlice<UInt8> {
        guard count <= bytes.count - position else { throw WireError.truncated }
        defer { position += count }
        return bytes[position..<position + count]
    }

    package mutating func read<Value: FixedWidthInteger>(_: Value.Type = Value.self) throws -> Value {
        let slice = try readBytes(MemoryLayout<Value>.size)
        return slice.withUnsafeBytes { Value(littleEndian: $0.loadUnaligned(as: Value.self)) }
    }

    package mutating func readText() throws -> String {
        let count = try Int(read(UInt32.self))
        guard let text = try readBytes(count).withUnsafeBufferPointer({ String(checkedUTF8: $0) }) else {
            throw WireError.notUTF8
        }
        return text
    }

    /// Reads a list. Its length is checked against the remaining bytes, so that a forged length allocates nothing.
    package mutating func readList<Element>(_ body: (inout WireReader) throws -> Element) throws -> [Element] {
        let count = try Int(read(UInt32.self))
        guard count <= bytes.count - position else { throw WireError.truncated }
        var list: [Element] = []
        list.reserveCapacity(min(count, 1_024))
        for _ in 0..<count { list.append(try body(&self)) }
        return list
    }

    package func finish() throws {
        guard position == bytes.count else { throw WireError.trailingBytes(bytes.count - position) }
    }
}
