/// The version of the protocol, the second byte of every frame. Frames of other versions are dropped.
package let protocolVersion: UInt8 = 4

extension WireWriter {
    /// Begins a message.
    ///
    /// - Parameter type: the first byte.
    init(message type: UInt8) {
        self.init(reserving: 256)
        write(type)
        write(protocolVersion)
    }
}

extension WireReader {
    /// Reads the beginning of a message: its type, and the version of the protocol.
    mutating func readHeader<MessageType: RawRepresentable>(
        _: MessageType.Type
    ) throws -> MessageType where MessageType.RawValue == UInt8 {
        let rawType: UInt8 = try read()
        guard let type = MessageType(rawValue: rawType) else { throw WireError.unknownType(rawType) }
        let version: UInt8 = try read()
        guard version == protocolVersion else { throw WireError.unknownProtocol(version) }
        return type
    }
}
