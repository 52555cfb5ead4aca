/// The rows of a JSON file: the elements of its list, those of a list in its object, or values that follow one another,
/// as in JSON Lines. Damage costs only the row itself: the next row begins on the next line that begins as the damaged
/// one did, or in a list at the next `{"` after a comma where a name cannot be.
///
/// Holds one row, and what was read after it while its end was searched for. On average each byte is read at most three
/// times, beyond ``spareBytes``.
final class JSONRows {
    enum Row {
        case value(JSONValue)
        /// Why the row cannot be read.
        case damaged(String)
    }

    private enum Position {
        case values, list, end
    }

    /// How often a byte may be read again on average, beyond ``spareBytes``.
    private static let mostReadings = 2
    private static let spareBytes = 65_536
    private static let notJSON = "it is not valid JSON"
    private static let openings: [UInt8] = [UInt8(ascii: "{"), UInt8(ascii: "[")]
    private static let blanks: [UInt8] = [0x20, 0x09, 0x0D]

    private let bytes: TextBytes
    private let limit: Int
    private var position: Position
    /// How many bytes were consumed, and how many of them more than once.
    private var taken = 0
    private var readAgain = 0
    private var hasRows = false
    /// The indentation of the current line, of the current row's first line, and of the line with the mark.
    private var indent = 0
    private var rowIndent = 0
    private var markIndent = 0

    /// - Parameters:
    ///   - member: the member of the file's object whose list has the rows; `nil` for a list, or for values that follow
    ///     one another.
    ///   - limit: the most bytes that a row may have.
    init(_ bytes: TextBytes, in member: String? = nil, limit: Int) throws(LibraryFileError) {
        (self.bytes, self.limit) = (bytes, limit)
        position = .values
        if let member {
            try find(member)
        } else if try peek() == UInt8(ascii: "[") {
            try consume()
            position = .list
        }
    }

    /// Advances to the list in a member of the file's object.
    private func find(_ member: String) throws(LibraryFileError) {
        let scanner = JSONScanner(bytes)
        try scanner.consume("{")
        var isFirst = true
        while try scanner.advance(isFirst: isFirst, until: "}") {
            isFirst = false
            if try scanner.name() == member, try scanner.peek() == UInt8(ascii: "[") {
                try consume()
                position = .list
                return
            }
            try scanner.skipValue()
        }
        position = .end
    }

    /// Whether there are no rows, or no further ones.
    var isAtEnd: Bool { position == .end }

    /// - Returns: `nil` at the end.
    func next() throws(LibraryFileError) -> Row? {
        if position == .end { return nil }
        var byte = try peek()
        while byte == UInt8(ascii: ",") {
            try consume()
            byte = try peek()
        }
        guard let first = byte else {
            guard position == .values, hasRows else { throw JSONScanner.damaged }
            position = .end
            return nil
        }
        if position == .list, first == UInt8(ascii: "]") {
            position = .end
            return nil
        }
        defer { hasRows = true }
        return try row(first)
    }

    // MARK: Rows

    private func row(_ first: UInt8) throws(LibraryFileError) -> Row {
        rowIndent = indent
        let isOpening = Self.openings.contains(first)
        // Lines of a list may have any values.
        guard isOpening || position == .list && ![UInt8(ascii: "}"), UInt8(ascii: ":")].contains(first) else {
            return try damaged(Self.notJSON)
        }
        var value: [UInt8] = []
        var isTooLong = false
        var (depth, isText, isEscaped, last) = (0, false, false, first)
        // Of the open string.
        var lastOfText: UInt8 = 0
        defer { bytes.removeMark() }
        while let byte = try bytes.peek() {
            if isText {
                // A string cannot contain line breaks, so its end is missing.
                if byte == 0x0A || byte == 0x0D { return try damaged(Self.notJSON) }
                // If the string turns out not to end where it should, this begins the next element of the list.
                if position == .list, byte == UInt8(ascii: "{"), lastOfText == UInt8(ascii: ","),
                    bytes.countSinceMark == nil, try bytes.peek(2).last == 0x22
                {
                    bytes.mark()
                    markIndent = indent
                }
                if !Self.blanks.contains(byte) { lastOfText = byte }
                if isEscaped {
                    isEscaped = false
                } else if byte == 0x5C {
                    isEscaped = true
                } else if byte == 0x22 {
                    isText = false
                }
            } else if byte == 0x0A {
                if depth == 0 {
                    try consume()
                    break
                }
                guard let next = try peek(), Self.openings.contains(next), indent <= rowIndent else { continue }
                // Another row may begin here, unless a value of the current row can begin here.
                guard [UInt8(ascii: ","), UInt8(ascii: ":"), UInt8(ascii: "["), UInt8(ascii: "{")].contains(last) else {
                    try returnToMark()
                    return .damaged(Self.notJSON)
                }
                if bytes.countSinceMark == nil {
                    bytes.mark()
                    markIndent = indent
                }
                continue
            } else if Self.blanks.contains(byte) {
                try consume()
                if depth == 0 { break }
                continue
            } else {
                if depth <= 0, !value.isEmpty, [UInt8(ascii: ","), UInt8(ascii: "]")].contains(byte) { break }
                // An object has names at its own depth, so its end is missing, and the next element begins here.
                if position == .list, first == UInt8(ascii: "{"), depth == 1, byte == UInt8(ascii: "{"),
                    last == UInt8(ascii: ",") || last == UInt8(ascii: "}")
                {
                    try returnToMark()
                    return .damaged(Self.notJSON)
                }
                switch byte {
                case 0x22: (isText, lastOfText) = (true, 0)
                case 0x7B, 0x5B: depth += 1
                case 0x7D, 0x5D: depth -= 1
                default: break
                }
                last = byte
            }
            try consume()
            if value.count < limit { value.append(byte) } else { isTooLong = true }
            if isTooLong, bytes.countSinceMark != nil || position == .values { return try tooLong() }
            if depth <= 0, !isText, isOpening || last == 0x22 && first == 0x22 { break }
        }
        if depth > 0 || isText { return try brokenOff() }
        if isTooLong { return try tooLong() }
        if position == .values, try !endsLine() { return try damaged(Self.notJSON) }
        guard let parsed = JSONValueParser.value(of: value) else {
            try returnToMark()
            return .damaged(Self.notJSON)
        }
        return .value(parsed)
    }

    /// Whether nothing but another row follows on the line.
    private func endsLine() throws(LibraryFileError) -> Bool {
        while let byte = try bytes.peek(), Self.blanks.contains(byte) || byte == UInt8(ascii: ",") { try consume() }
        guard let byte = try bytes.peek() else { return true }
        return byte == 0x0A || Self.openings.contains(byte)
    }

    private func tooLong() throws(LibraryFileError) -> Row {
        try damaged("it is larger than \(limit >> 10) KiB")
    }

    /// The file ended within the row.
    private func brokenOff() throws(LibraryFileError) -> Row {
        if try returnToMark() { return .damaged(Self.notJSON) }
        guard position == .values, hasRows else { throw JSONScanner.damaged }
        return .damaged("the file ends in the middle of it")
    }

    // MARK: Damage

    /// Advances to the next row: to where one may have begun already, or else past the end of the line.
    private func damaged(_ reason: String) throws(LibraryFileError) -> Row {
        if try returnToMark() { return .damaged(reason) }
        while true {
            while let byte = try bytes.peek(), byte != 0x0A { try consume() }
            guard let next = try peek() else { break }
            guard indent <= rowIndent else { continue }
            if Self.openings.contains(next) || position == .list && next == UInt8(ascii: "]") { break }
        }
        return .damaged(reason)
    }

    @discardableResult
    private func returnToMark() throws(LibraryFileError) -> Bool {
        guard let count = bytes.countSinceMark else { return false }
        guard readAgain + count <= Self.spareBytes + Self.mostReadings * taken else {
            bytes.removeMark()
            return false
        }
        readAgain += count
        indent = markIndent
        bytes.returnToMark()
        return true
    }

    // MARK: Bytes

    private func consume() throws(LibraryFileError) {
        if try bytes.next() != nil { taken += 1 }
    }

    /// Returns the next byte after white space and line ends without consuming it; `nil` at the end.
    private func peek() throws(LibraryFileError) -> UInt8? {
        while let byte = try bytes.peek() {
            switch byte {
            case 0x0A: indent = 0
            case 0x20, 0x09: indent += 1
            case 0x0D: break
            default: return byte
            }
            try consume()
        }
        return nil
    }
}
