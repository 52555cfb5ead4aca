/// Going on after a damaged row.
extension JSONRows {
    /// Advances to the next row: to where one may have begun already, or else past the end of the line.
    func damaged(_ reason: String) throws(LibraryFileError) -> Row {
        if try returnToMark() { return .damaged(reason) }
        if position == .list, isInLine {
            try skipInLine()
            return .damaged(reason)
        }
        while true {
            while let byte = try bytes.peek(), byte != 0x0A { try consume() }
            guard let next = try peek() else { break }
            guard indent <= rowIndent else { continue }
            if Self.openings.contains(next) || position == .list && next == UInt8(ascii: "]") { break }
        }
        return .damaged(reason)
    }

    /// Advances to the next `{"` after a comma, to the end of the list, or to the end of the line.
    private func skipInLine() throws(LibraryFileError) {
        var last: UInt8 = 0
        while let byte = try bytes.peek(), byte != 0x0A {
            if byte == UInt8(ascii: "{"), last == UInt8(ascii: ","), try bytes.peek(2).last == 0x22 { return }
            if byte == UInt8(ascii: "]") { return }
            if !Self.blanks.contains(byte) { last = byte }
            try consume()
        }
    }

    @discardableResult
    func returnToMark() throws(LibraryFileError) -> Bool {
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
}
