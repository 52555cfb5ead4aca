/// The records of comma-separated values (RFC 4180), read one after the other. Lines may end with CR, LF or both; the
/// separator may also be a semicolon or a tab.
final class CSVRecords {
    struct Record: Equatable {
        /// The line on which it begins, from 1.
        var line: Int
        var fields: [String]
    }

    /// Longer ones are damaged: a quotation mark is missing.
    private static let longestRecord = 1 << 20

    private let bytes: TextBytes
    private let separator: UInt8
    private var line = 1

    init(_ bytes: TextBytes, separator: UInt8) {
        self.bytes = bytes
        self.separator = separator
    }

    /// Empty lines are left out.
    ///
    /// - Returns: `nil` at the end.
    func next() throws(LibraryFileError) -> Record? {
        while true {
            guard let record = try read() else { return nil }
            if record.fields != [""] { return record }
        }
    }

    private func read() throws(LibraryFileError) -> Record? {
        guard let first = try bytes.next() else { return nil }
        var record = Record(line: line, fields: [])
        var field: [UInt8] = []
        var (isQuoted, length) = (false, 0)
        var pending: UInt8? = first
        func endField() {
            record.fields.append(String(decoding: field, as: UTF8.self))
            field.removeAll(keepingCapacity: true)
        }
        while true {
            let next = if let pending { pending } else { try bytes.next() }
            guard let byte = next else { break }
            pending = nil
            length += 1
            guard length <= Self.longestRecord else {
                throw LibraryFileError(
                    "A row that begins at line \(record.line) does not end: a quotation mark is missing there.")
            }
            if byte == 0x0A { line += 1 }
            if isQuoted {
                guard byte == 0x22 else {
                    field.append(byte)
                    continue
                }
                guard try bytes.peek(1).first == 0x22 else {
                    isQuoted = false
                    continue
                }
                _ = try bytes.next()
                field.append(0x22)
                continue
            }
            switch byte {
            case 0x22 where field.isEmpty: isQuoted = true
            case separator: endField()
            case 0x0D:
                if try bytes.peek(1).first == 0x0A { _ = try bytes.next() }
                line += 1
                endField()
                return record
            case 0x0A:
                endField()
                return record
            default: field.append(byte)
            }
        }
        endField()
        return record
    }
}
