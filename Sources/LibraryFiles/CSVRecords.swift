/// The records of comma-separated values (RFC 4180), read one after the other. Lines may end with CR, LF or both; the
/// separator may also be a semicolon or a tab.
final class CSVRecords {
    struct Record: Equatable {
        /// The line on which it begins, from 1.
        var line: Int
        var fields: [String]
        /// Why it cannot be taken: then it has no fields, and the next record begins on the next line.
        var damage: String?
    }

    /// Longer ones are damaged.
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
        // What was read of a quoted field behind its first line. If its closing quotation mark turns out to be missing,
        // these are rows of their own.
        var rows: [UInt8]?
        func endField() {
            record.fields.append(Self.text(field))
            field.removeAll(keepingCapacity: true)
        }
        func withoutQuotationMark() -> Record {
            if let rows {
                bytes.putBack(rows)
                line = record.line + 1
            }
            return Record(line: record.line, fields: [], damage: "a quotation mark is missing in the row")
        }
        while true {
            let next = if let pending { pending } else { try bytes.next() }
            guard let byte = next else { break }
            pending = nil
            length += 1
            guard length <= Self.longestRecord else {
                rows?.append(byte)
                if rows != nil { return withoutQuotationMark() }
                try skipLine(from: byte)
                return Record(line: record.line, fields: [], damage: "the row is longer than 1 MiB")
            }
            if byte == 0x0A { line += 1 }
            if isQuoted {
                rows?.append(byte)
                guard byte == 0x22 else {
                    field.append(byte)
                    let next = try bytes.peek(1).first
                    let isBareReturn = byte == 0x0D && next != 0x0A
                    if isBareReturn { line += 1 }
                    if rows == nil, byte == 0x0A || isBareReturn { rows = [] }
                    continue
                }
                let next = try bytes.peek(1).first
                guard next == 0x22 else {
                    isQuoted = false
                    let ends: [UInt8] = [separator, 0x20, 0x0D, 0x0A]
                    // It is the opening one of another row's field.
                    if rows != nil, let next, !ends.contains(next) { return withoutQuotationMark() }
                    continue
                }
                _ = try bytes.next()
                rows?.append(0x22)
                field.append(0x22)
                continue
            }
            rows?.append(byte)
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
        if isQuoted { return withoutQuotationMark() }
        endField()
        return record
    }

    /// Goes behind the end of the line.
    private func skipLine(from first: UInt8) throws(LibraryFileError) {
        var byte: UInt8? = first
        while let present = byte {
            let next = try bytes.peek(1).first
            if present == 0x0A || present == 0x0D && next != 0x0A {
                line += 1
                return
            }
            byte = try bytes.next()
        }
    }

    /// The text of a field. Programs that know no UTF-8, such as old spreadsheets, write Windows-1252.
    private static func text(_ field: [UInt8]) -> String {
        if let text = String(validating: field, as: UTF8.self) { return text }
        var text = String.UnicodeScalarView()
        for byte in field {
            let scalar = (0x80...0x9F).contains(byte) ? windows1252[Int(byte) - 0x80] : UInt32(byte)
            text.append(Unicode.Scalar(scalar) ?? "\u{FFFD}")
        }
        return String(text)
    }

    /// The characters from 0x80 to 0x9F, by https://encoding.spec.whatwg.org/index-windows-1252.txt.
    private static let windows1252: [UInt32] = [
        0x20AC, 0x81, 0x201A, 0x0192, 0x201E, 0x2026, 0x2020, 0x2021, 0x02C6, 0x2030, 0x0160, 0x2039, 0x0152, 0x8D,
        0x017D, 0x8F, 0x90, 0x2018, 0x2019, 0x201C, 0x201D, 0x2022, 0x2013, 0x2014, 0x02DC, 0x2122, 0x0161, 0x203A,
        0x0153, 0x9D, 0x017E, 0x0178,
    ]
}
