/// The rows of a JSON file: the elements of its list, those of a list in its object, or values that follow one another,
/// as in JSON Lines. Documents may follow one another, too: after a list come further lists or values. Damage costs only
/// the row itself: the next row begins on the next line that begins as the damaged one did, or in a list at the next `{"`
/// after a comma where a name cannot be.
///
/// Holds one row, and what was read after it while its end was searched for. On average each byte is read at most three
/// times, beyond ``spareBytes``.
final class JSONRows {
    enum Row {
        case value(JSONValue)
        /// Why the row cannot be read.
        case damaged(String)
    }

    enum Position {
        case values, list, end
    }

    /// How often a byte may be read again on average, beyond ``spareBytes``.
    static let mostReadings = 2
    static let spareBytes = 65_536
    private static let deepest = 64
    private static let notJSON = "it is not valid JSON"
    static let openings: [UInt8] = [UInt8(ascii: "{"), UInt8(ascii: "[")]
    static let blanks: [UInt8] = [0x20, 0x09, 0x0D]

    let bytes: TextBytes
    private let limit: Int
    private let member: String?
    var position: Position
    /// Whether the row is the only one of its object, which has no list.
    private var isSingle = false
    /// Whether a list ended, so that another one may follow.
    private var hasEndedList = false
    /// Whether only blanks precede the next byte on its line.
    private var isAtLineStart = true
    /// How many bytes were consumed, and how many of them more than once.
    var taken = 0
    var readAgain = 0
    private var hasRows = false
    private var hasReadSingle = false
    /// Whether something precedes the current row on its line.
    var isInLine = false
    /// The indentation of the current line, of the current row's first line, and of the line with the mark.
    var indent = 0
    var rowIndent = 0
    var markIndent = 0

    /// - Parameters:
    ///   - member: the member of the file's object whose list has the rows; `nil` for a list, or for values that follow
    ///     one another.
    ///   - limit: the most bytes that a row may have.
    init(_ bytes: TextBytes, in member: String? = nil, limit: Int) throws(LibraryFileError) {
        (self.bytes, self.member, self.limit) = (bytes, member, limit)
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
            if try scanner.name() == member, let first = try scanner.peek(), Self.openings.contains(first) {
                // A list of one may be written as just its element.
                isSingle = first == UInt8(ascii: "{")
                if !isSingle { try consume() }
                position = .list
                return
            }
            try scanner.skipValue()
        }
        position = .end
    }

    /// Ends the object that has the list, and begins the next one if there is another.
    ///
    /// - Returns: a row for text that is not read; `nil` if all of it is.
    private func endObject(_ member: String) throws(LibraryFileError) -> Row? {
        position = .end
        do throws(LibraryFileError) {
            let scanner = JSONScanner(bytes)
            while try scanner.advance(isFirst: false, until: "}") {
                _ = try scanner.name()
                try scanner.skipValue()
            }
            guard let next = try scanner.peek() else { return nil }
            guard next == UInt8(ascii: "{") else { return .damaged(JSONScanner.isAfterEnd) }
            try find(member)
        } catch {
            if error == .cancelled { throw error }
            position = .end
            return .damaged(JSONScanner.isAfterEnd)
        }
        return nil
    }

    /// Whether there are no rows, or no further ones.
    var isAtEnd: Bool { position == .end }

    /// - Returns: `nil` at the end.
    func next() throws(LibraryFileError) -> Row? {
        while true {
            if position == .end { return nil }
            if let row = try nextInPlace() { return row }
        }
    }

    /// - Returns: `nil` where a list or the file ends.
    private func nextInPlace() throws(LibraryFileError) -> Row? {
        if isSingle, hasReadSingle { return try endList() }
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
            try consume()
            return try endList()
        }
        if position == .values, hasEndedList, first == UInt8(ascii: "[") {
            try consume()
            position = .list
            return nil
        }
        defer { (hasRows, hasReadSingle) = (true, true) }
        return try row(first)
    }

    private func endList() throws(LibraryFileError) -> Row? {
        (isSingle, hasReadSingle, hasRows) = (false, false, true)
        if let member { return try endObject(member) }
        (position, hasEndedList) = (.values, true)
        return nil
    }

    // MARK: Rows

    private func row(_ first: UInt8) throws(LibraryFileError) -> Row {
        (rowIndent, isInLine) = (indent, !isAtLineStart)
        let isOpening = Self.openings.contains(first)
        // Lines of a list may have any values.
        guard isOpening || position == .list && ![UInt8(ascii: "}"), UInt8(ascii: ":")].contains(first) else {
            return try damaged(Self.notJSON)
        }
        var value: [UInt8] = []
        var isTooLong = false
        var (depth, isText, isEscaped, last) = (0, false, false, first)
        // The brackets of the innermost objects and lists; deeper ones are not told apart.
        var opened: [UInt8] = []
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
                if position == .list, byte == UInt8(ascii: "{"), depth > 0, depth == opened.count,
                    opened.last == UInt8(ascii: "{"), last != UInt8(ascii: ":")
                {
                    try returnToMark()
                    return .damaged(Self.notJSON)
                }
                switch byte {
                case 0x22: (isText, lastOfText) = (true, 0)
                case 0x7B, 0x5B:
                    if depth == opened.count, depth < Self.deepest { opened.append(byte) }
                    depth += 1
                case 0x7D, 0x5D:
                    depth -= 1
                    if depth < opened.count { _ = opened.popLast() }
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
        // The row was read to its end, so nothing else is lost.
        if isTooLong { return .damaged(isTooLongReason) }
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

    private var isTooLongReason: String { "it is larger than \(limit >> 10) KiB" }

    private func tooLong() throws(LibraryFileError) -> Row { try damaged(isTooLongReason) }

    /// The file ended within the row.
    private func brokenOff() throws(LibraryFileError) -> Row {
        if try returnToMark() { return .damaged(Self.notJSON) }
        guard position == .values, hasRows else { throw JSONScanner.damaged }
        return .damaged("the file ends in the middle of it")
    }

    // MARK: Bytes

    func consume() throws(LibraryFileError) {
        guard let byte = try bytes.next() else { return }
        taken += 1
        if byte == 0x0A {
            isAtLineStart = true
        } else if !Self.blanks.contains(byte) {
            isAtLineStart = false
        }
    }

    /// Returns the next byte after white space and line ends without consuming it; `nil` at the end.
    func peek() throws(LibraryFileError) -> UInt8? {
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
