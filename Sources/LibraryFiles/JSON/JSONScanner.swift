/// Walks through JSON without holding more than one value of it, whose length is limited.
final class JSONScanner {
    private let bytes: TextBytes

    init(_ bytes: TextBytes) {
        self.bytes = bytes
    }

    /// The next byte that is no white space, without taking it; `nil` at the end.
    func peek() throws(LibraryFileError) -> UInt8? {
        while let byte = try bytes.peek() {
            guard [0x20, 0x09, 0x0A, 0x0D].contains(byte) else { return byte }
            _ = try bytes.next()
        }
        return nil
    }

    /// Takes a character.
    func take(_ character: Unicode.Scalar) throws(LibraryFileError) {
        guard try peek() == UInt8(ascii: character) else { throw Self.damaged }
        _ = try bytes.next()
    }

    /// Goes to the next member or element of what is open.
    ///
    /// - Parameters:
    ///   - isFirst: whether none was read yet.
    ///   - end: the bracket that closes it, which is taken.
    /// - Returns: whether there is one.
    func advance(isFirst: Bool, until end: Unicode.Scalar) throws(LibraryFileError) -> Bool {
        guard try peek() != UInt8(ascii: end) else {
            try take(end)
            return false
        }
        if !isFirst { try take(",") }
        return true
    }

    /// The name of a member, and the colon behind it.
    func name() throws(LibraryFileError) -> String {
        guard let name = try value(limit: 4_096)?.text else { throw Self.damaged }
        try take(":")
        return name
    }

    /// The next value; `nil` for one that is damaged in itself, or longer.
    ///
    /// - Parameter limit: in bytes.
    func value(limit: Int) throws(LibraryFileError) -> JSONValue? {
        try valueBytes(limit: limit).flatMap(JSONValueParser.value)
    }

    /// Goes behind the next value, of any length.
    func skipValue() throws(LibraryFileError) { _ = try valueBytes(limit: 0) }

    /// The bytes of the next value, which is taken whatever its length.
    ///
    /// - Returns: `nil` for more than `limit`.
    private func valueBytes(limit: Int) throws(LibraryFileError) -> [UInt8]? {
        // Where no value is, nothing would be taken, and whoever reads one after the other would never end.
        guard let first = try peek(), ![0x7D, 0x5D, 0x2C].contains(first) else { throw Self.damaged }
        var value: [UInt8]? = []
        var hasBytes = false
        var (depth, isText, isEscaped) = (0, false, false)
        while let byte = try bytes.peek() {
            if isText {
                if isEscaped {
                    isEscaped = false
                } else if byte == 0x5C {
                    isEscaped = true
                } else if byte == 0x22 {
                    isText = false
                }
            } else {
                switch byte {
                case 0x22: isText = true
                case 0x7B, 0x5B: depth += 1
                // The end of what the value is in.
                case 0x7D where depth == 0, 0x5D where depth == 0: return value
                case 0x7D, 0x5D: depth -= 1
                case 0x2C where depth == 0: return value
                case 0x20, 0x09, 0x0A, 0x0D:
                    // White space between values tells nothing.
                    _ = try bytes.next()
                    if depth == 0 { return value }
                    continue
                default: break
                }
            }
            _ = try bytes.next()
            hasBytes = true
            if let count = value?.count, count < limit { value?.append(byte) } else { value = nil }
            let isComplete = depth == 0 && !isText && (first == 0x22 || first == 0x7B || first == 0x5B)
            if isComplete { return value }
        }
        guard depth == 0, !isText, hasBytes else { throw Self.damaged }
        return value
    }

    static let damaged = LibraryFileError(
        "The JSON breaks off or is damaged. Export it again, and send the whole file.")
}
