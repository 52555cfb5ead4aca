/// Encodes a ZeroMQ frame: little-endian fixed-width integers, and length-prefixed texts and lists
/// (`docs/protocol.md`).
package struct WireWriter {
    package private(set) var bytes: [UInt8] = []

    package init(reserving capacity: Int = 64) {
        bytes.reserveCapacity(capacity)
    }

    package mutating func write(_ value: some FixedWidthInteger) {
        withUnsafeBytes(of: value.littleEndian) { bytes.append(contentsOf: $0) }
    }

    package mutating func write(_ text: String) {
        var text = text
        text.withUTF8 { utf8 in
            write(UInt32(utf8.count))
            bytes.append(contentsOf: utf8)
        }
    }

    package mutating func write<Element>(list: [Element], _ body: (inout WireWriter, Element) -> Void) {
        write(UInt32(list.count))
        for element in list { body(&self, element) }
    }
}
