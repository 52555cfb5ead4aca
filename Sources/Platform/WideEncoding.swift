/// An encoding of text with several bytes for each character, as a text's first bytes reveal it.
package enum WideEncoding: Sendable, Equatable {
    /// - Parameter hasMark: whether the text begins with a byte order mark of two bytes.
    case utf16(isBigEndian: Bool, hasMark: Bool)
    case utf32

    /// Recognizes a byte order mark, or two ASCII characters at the beginning of the text, as JSON, XML and most tables
    /// have.
    ///
    /// - Parameter head: the text's first bytes; four are enough.
    /// - Returns: `nil` for anything else.
    package init?(head: some Collection<UInt8>) {
        let head = Array(head.prefix(4))
        // Characters of ASCII have zeros in all bytes but one.
        let zeros = head.map { $0 == 0 }
        if head == [0xFF, 0xFE, 0, 0] || head == [0, 0, 0xFE, 0xFF] || zeros == [false, true, true, true]
            || zeros == [true, true, true, false]
        {
            self = .utf32
        } else if head.starts(with: [0xFF, 0xFE]) || head.starts(with: [0xFE, 0xFF]) {
            self = .utf16(isBigEndian: head[0] == 0xFE, hasMark: true)
        } else if zeros == [false, true, false, true] || zeros == [true, false, true, false],
            head.allSatisfy({ $0 < 0x80 })
        {
            self = .utf16(isBigEndian: zeros[0], hasMark: false)
        } else {
            return nil
        }
    }

    /// For people.
    package var name: String {
        switch self {
        case .utf16: "UTF-16"
        case .utf32: "UTF-32"
        }
    }
}
