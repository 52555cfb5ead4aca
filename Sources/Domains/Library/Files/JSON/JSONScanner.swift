/// Walks through JSON while holding no more than one value, whose length is limited.
final class JSONScanner {
    private let bytes: TextBytes

    init(_ bytes: TextBytes) {
        self.bytes = bytes
    }

    /// Returns the next byte that is not white space without consuming it; `nil` at the end.
    func peek() throws(LibraryFileError) -> UInt8? {
        while let byte = try bytes.peek() {
            guard [0x20, 0x09, 0x0A, 0x0D].contains(byte) else { return byte }
            _ = try bytes.next()
        }
        return nil
    }

    /// Consumes a character.
    func consume(_ character: Unicode.Scalar) throws(LibraryFileError) {
        guard try peek() == UInt8(ascii: character) else { throw Self.damaged }
        _ = try bytes.next()
    }

    /// Advances to the next member or element of the open object or list.
    ///
    /// - Parameters:
    ///   - isFirst: whether no member or element was read yet.
    ///   - end: the closing bracket, which is consumed.
    /// - Returns: whether there is another member or element.
    func advance(isFirst: Bool, until end: Unicode.Scalar) throws(LibraryFileError) -> Bool {
        guard try peek() != UInt8(ascii: end) else {
            try consume(end)
            return false
        }
        if !isFirst { try consume(",") }
        return true
    }

    /// Consumes the name of a member and the colon after it.
    func name() throws(LibraryFileError) -> String {
        guard let name = try value(limit: 4_096)?.text else { throw Self.damaged }
        try consume(":")
        return name
    }

    /// Consumes the next value; returns `nil` if the value itself is damaged, or too long.
    ///
    /// - Parameter limit: the longest value, in bytes.
    func value(limit: Int) throws(LibraryFileError) -> JSONValue? {
        try valueBytes(limit: limit).flatMap(JSONValueParser.value)
    }

    /// Skips the next value, whatever its length.
    func skipValue() throws(LibraryFileError) { _ = try valueBytes(limit: 0) }

    /// Consumes the next value, whatever its length, and returns its bytes.
    ///
    /// - Returns: `nil` for more than `limit` bytes.
    private func valueBytes(limit: Int) throws(LibraryFileError) -> [UInt8]? {
        // Without a value, nothing would be consumed, and a caller that reads value after value would never end.
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
                // The end of the object or list that contains the value.
                case 0x7D where depth == 0, 0x5D where depth == 0: return value
                case 0x7D, 0x5D: depth -= 1
                case 0x2C where depth == 0: return value
                case 0x20, 0x09, 0x0A, 0x0D:
                    // White space between values has no meaning.
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

    /// Consumes what follows the end of a document.
    ///
    /// - Returns: why it is not read; `nil` if there is nothing but white space.
    func refusalOfRest() throws(LibraryFileError) -> String? {
        guard try peek() != nil else { return nil }
        while try bytes.next() != nil {}
        return Self.isAfterEnd
    }

    static let isAfterEnd = "the text after the end of the JSON document was not read"

    static let damaged = LibraryFileError(
        "The JSON is incomplete or damaged. Export it again, and send the whole file.")
}
