import Platform

/// The sender or receiver of a message: the ZeroMQ routing id of a dealer, 1 to 255 bytes.
package struct PeerID: Hashable, Sendable, CustomStringConvertible {
    package let bytes: [UInt8]

    package init(bytes: [UInt8]) {
        self.bytes = bytes
    }

    package init(_ text: String) {
        bytes = Array(text.utf8)
    }

    /// The id as text if it is printable ASCII, otherwise its bytes in hexadecimal.
    package var description: String {
        if bytes.allSatisfy({ (0x20..<0x7f).contains($0) }) {
            return String(decoding: bytes, as: UTF8.self)
        }
        return "0x" + bytes.hexadecimal
    }
}
