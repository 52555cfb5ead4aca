import Model
import Platform

/// Reads the records of CSV (RFC 4180) one after another. Lines may end with CR, LF or both; the separator may also be
/// a semicolon, a tab or a vertical bar. White space around a field is not part of it, and may precede its opening
/// quotation mark. If text follows the closing mark, both marks are part of the field. A backslash before a mark in a
/// quoted field escapes the mark, unless the field ends there (``hasEscapes``).
///
/// Holds one record of at most 1 MiB. On average each byte is read at most three times, beyond ``spareBytes``.
final class CSVRecords {
    struct Record: Equatable {
        /// The line on which the record begins, counted from 1.
        var line: Int
        /// At most ``mostFields``; the rest is dropped.
        var fields: [String]
        /// Why the record cannot be read: it then has no fields, and the next record begins on the next line.
        var damage: String?
    }

    /// Apple's play activity has some 90 columns.
    static let mostFields = 200
    /// In bytes. Longer records count as damaged.
    private static let longestRecord = 1 << 20
    /// How often a byte may be read again on average, beyond ``spareBytes``.
    private static let mostReadings = 2
    private static let spareBytes = 65_536

    private static let noBreakSpace: [UInt8] = [0xC2, 0xA0]

    private let bytes: TextBytes
    private let separator: UInt8
    /// How many fields the header line has; `nil` for a table without one.
    private let width: Int?
    /// Whether a backslash may escape a quotation mark, as some programs write it. In RFC 4180 it is an ordinary
    /// character.
    var hasEscapes = true
    private var line = 1
    /// The offset of the next record, in bytes.
    private var place = 0
    /// The offset of the end of what was read, in bytes.
    private var end = 0
    /// How many bytes were read more than once.
    private var readAgain = 0

    /// - Parameter fields: the most fields that a row may have. A longer row is damaged: its fields do not match the
    ///   columns.
    init(_ bytes: TextBytes, separator: UInt8, fields width: Int? = nil) {
        (self.bytes, self.separator, self.width) = (bytes, separator, width)
    }

    /// Reads the next record. Empty lines are skipped.
    ///
    /// - Parameter isRow: whether the record is one of the table's rows, rather than a line above them.
    /// - Returns: `nil` at the end.
    func next(isRow: Bool = true) throws(LibraryFileError) -> Record? {
        while true {
            guard let record = try read() else { return nil }
            guard record.fields != [""] else { continue }
            guard isRow, let width, record.fields.dropFirst(width).contains(where: { !$0.isEmpty }) else {
                return record
            }
            return Record(
                line: record.line, fields: [], damage: "the row has more fields than the line with the columns’ names")
        }
    }

    private func read() throws(LibraryFileError) -> Record? {
        guard try bytes.peek() != nil else { return nil }
        var record = Record(line: line, fields: [])
        var field: [UInt8] = []
        var (isQuoted, length) = (false, 0)
        // Whether the field has only white space so far, and whether it was quoted.
        var (isBlank, wasQuoted) = (true, false)
        // The white space after the closing mark.
        var blanks: [UInt8] = []
        func endField() {
            if record.fields.count < Self.mostFields {
                record.fields.append(Self.text(wasQuoted ? field[...] : trimmed(field)))
            }
            field.removeAll(keepingCapacity: true)
            blanks.removeAll(keepingCapacity: true)
            (isBlank, wasQuoted) = (true, false)
        }
        defer {
            bytes.removeMark()
            place += length
            end = max(end, place)
        }
        while let byte = try bytes.next() {
            length += 1
            guard length <= Self.longestRecord else {
                if bytes.countSinceMark != nil { return try withoutQuotationMark(record, &length, at: byte) }
                try skipLine(from: byte)
                return Record(line: record.line, fields: [], damage: "the row is longer than 1 MiB")
            }
            if byte == 0x0A { line += 1 }
            if isQuoted {
                guard byte == 0x22 else {
                    if hasEscapes, byte == 0x5C, try isBeforeEscapedMark() {
                        _ = try bytes.next()
                        length += 1
                        field.append(0x22)
                        continue
                    }
                    field.append(byte)
                    let next = try bytes.peek()
                    let isBareReturn = byte == 0x0D && next != 0x0A
                    if isBareReturn { line += 1 }
                    // If the closing quotation mark turns out to be missing, what follows may be separate rows.
                    if byte == 0x0A || isBareReturn, bytes.countSinceMark == nil { bytes.mark() }
                    continue
                }
                let next = try bytes.peek()
                guard next == 0x22 else {
                    isQuoted = false
                    let ends: [UInt8] = [separator, 0x20, 0x09, 0x0D, 0x0A, 0xC2]
                    // This mark opens a field of another row.
                    if bytes.countSinceMark != nil, let next, !ends.contains(next) {
                        return try withoutQuotationMark(record, &length, at: byte)
                    }
                    continue
                }
                _ = try bytes.next()
                length += 1
                field.append(0x22)
                continue
            }
            switch byte {
            case 0xC2 where try bytes.peek() == 0xA0:
                // A no-break space is white space like any other.
                _ = try bytes.next()
                length += 1
                if wasQuoted { blanks += Self.noBreakSpace } else { field += Self.noBreakSpace }
            case 0x22 where isBlank && !wasQuoted:
                (isQuoted, wasQuoted) = (true, true)
                field.removeAll(keepingCapacity: true)
            case separator: endField()
            case 0x0D:
                if try bytes.peek() == 0x0A {
                    _ = try bytes.next()
                    length += 1
                }
                line += 1
                endField()
                return record
            case 0x0A:
                endField()
                return record
            // White space between the closing mark and the separator.
            case _ where wasQuoted && isBlankByte(byte): blanks.append(byte)
            default:
                // The marks are part of the text: `"Heroes" - 2017 Remaster`.
                if wasQuoted {
                    field = [0x22] + field + [0x22] + blanks
                    wasQuoted = false
                }
                field.append(byte)
                if !isBlankByte(byte) { isBlank = false }
            }
        }
        if isQuoted { return try withoutQuotationMark(record, &length, at: nil) }
        endField()
        return record
    }

    /// Whether the backslash that was just read in a quoted field escapes the quotation mark after it, as some programs
    /// write it. In RFC 4180 a mark before the field's end closes the field, and a doubled mark stands for one.
    private func isBeforeEscapedMark() throws(LibraryFileError) -> Bool {
        guard try bytes.peek() == 0x22 else { return false }
        let next = try bytes.peek(3).dropFirst()
        func ends(_ byte: UInt8?) -> Bool { byte.map { [separator, 0x0D, 0x0A].contains($0) } ?? true }
        guard next.first == 0x22 else { return !ends(next.first) }
        return ends(next.dropFirst().first)
    }

    private func isBlankByte(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x09 && separator != 0x09 }

    private func trimmed(_ field: [UInt8]) -> ArraySlice<UInt8> {
        guard let first = field.firstIndex(where: { !isBlankByte($0) }),
            let last = field.lastIndex(where: { !isBlankByte($0) })
        else { return [] }
        return field[first...last]
    }

    /// Rewinds to the lines after the first one of a record, since they may be separate rows. Once too much has been
    /// read again, the lines are skipped instead: otherwise every line of a hostile file could cause a mebibyte to be
    /// read again.
    ///
    /// - Parameters:
    ///   - length: how many bytes of the record were read; reduced by those that will be read again.
    ///   - byte: the last byte read; `nil` at the end.
    private func withoutQuotationMark(
        _ record: Record, _ length: inout Int, at byte: UInt8?
    ) throws(LibraryFileError) -> Record {
        let count = bytes.countSinceMark ?? 0
        end = max(end, place + length)
        guard readAgain + count <= Self.spareBytes + Self.mostReadings * end else {
            try skipLine(from: byte)
            return Record(
                line: record.line, fields: [],
                damage: "a quotation mark is missing in the row, and the lines up to \(line) were read as part of it")
        }
        if bytes.countSinceMark != nil { line = record.line + 1 }
        bytes.returnToMark()
        readAgain += count
        length -= count
        return Record(line: record.line, fields: [], damage: "a quotation mark is missing in the row")
    }

    /// Skips to the end of the line.
    private func skipLine(from first: UInt8?) throws(LibraryFileError) {
        var byte: UInt8? = first
        while let present = byte {
            let next = try bytes.peek()
            if present == 0x0A || present == 0x0D && next != 0x0A {
                line += 1
                return
            }
            byte = try bytes.next()
        }
    }

    /// The text of a field. Programs without support for UTF-8, such as old spreadsheets, write Windows-1252.
    private static func text(_ field: ArraySlice<UInt8>) -> String {
        if let text = field.withUnsafeBufferPointer({ String(checkedUTF8: $0) }) { return text }
        var text = String.UnicodeScalarView()
        for byte in field {
            let scalar = (0x80...0x9F).contains(byte) ? windows1252[Int(byte) - 0x80] : UInt32(byte)
            text.append(Unicode.Scalar(scalar) ?? "\u{FFFD}")
        }
        return String(text)
    }

    /// The characters from 0x80 to 0x9F, according to https://encoding.spec.whatwg.org/index-windows-1252.txt.
    private static let windows1252: [UInt32] = [
        0x20AC, 0x81, 0x201A, 0x0192, 0x201E, 0x2026, 0x2020, 0x2021, 0x02C6, 0x2030, 0x0160, 0x2039, 0x0152, 0x8D,
        0x017D, 0x8F, 0x90, 0x2018, 0x2019, 0x201C, 0x201D, 0x2022, 0x2013, 0x2014, 0x02DC, 0x2122, 0x0161, 0x203A,
        0x0153, 0x9D, 0x017E, 0x0178,
    ]
}
