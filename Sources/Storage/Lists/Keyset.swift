/// The order of a list that is read in pages, and the cursors that say where its next page begins.
///
/// A page begins after the values that the last item of the page before had in the columns that order the list: items
/// that come and go meanwhile are neither repeated nor hide others. The last column tells all items apart.
package struct Keyset<each Value: CursorValue>: Sendable {
    /// Part of each cursor's check, so that one list's is no other's.
    private let list: StaticString
    private let columns: [StaticString]
    private let isDescending: Bool

    /// - Parameters:
    ///   - list: a name of its own.
    ///   - columns: one for each value, in their order; none for a list that no statement pages through.
    package init(_ list: StaticString, by columns: StaticString..., descending: Bool = false) {
        var count = 0
        func tally<Part>(_: Part.Type) { count += 1 }
        repeat tally((each Value).self)
        precondition(columns.isEmpty || columns.count == count, "\(list): not one column for each value")
        self.list = list
        self.columns = columns
        isDescending = descending
    }

    // MARK: Cursors

    /// What a page's `nextCursor` is.
    ///
    /// - Parameter values: of the page's last item.
    package func text(of values: repeat each Value) -> String {
        var parts: [String] = []
        repeat parts.append((each values).cursorText)
        let text = parts.joined(separator: ".")
        return text + "~" + check(text)
    }

    /// Reads what ``text(of:)`` wrote: `nil` for the cursor of another list, and for what nobody wrote.
    package func cursor(_ text: String) -> Cursor<repeat each Value>? {
        guard let mark = text.lastIndex(of: "~"), check(String(text[..<mark])) == text[text.index(after: mark)...]
        else { return nil }
        var parts = text[..<mark].split(separator: ".", omittingEmptySubsequences: false)[...]
        func next<Part: CursorValue>(_: Part.Type) throws -> Part {
            guard let part = parts.popFirst(), let value = Part(cursorText: part) else { throw Malformed() }
            return value
        }
        do {
            let cursor = Cursor(repeat try next((each Value).self))
            return parts.isEmpty ? cursor : nil
        } catch {
            return nil
        }
    }

    private struct Malformed: Error {}

    /// Eight hexadecimal digits. It keeps out what is made by hand or cut off, and is no secret: every statement that
    /// pages names the owner of the rows.
    private func check(_ text: String) -> String {
        // FNV-1a: Hasher would answer differently in every process.
        var hash: UInt64 = 0xcbf2_9ce4_8422_2325
        for byte in (list.description + "\u{0}" + text).utf8 { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01b3 }
        let digits = String(UInt32(truncatingIfNeeded: hash ^ (hash >> 32)), radix: 16)
        return String(repeating: "0", count: 8 - digits.count) + digits
    }

    // MARK: Statements

    /// For `ORDER BY`.
    package var order: SQL { list(columns, suffix: isDescending ? " DESC" : "") }

    /// ` AND …`, the condition of the items that follow a cursor; nothing at the beginning of a list.
    package func following(_ cursor: Cursor<repeat each Value>?) -> SQL {
        guard let cursor else { return "" }
        var bound: SQL = ""
        func bind(_ value: some CursorValue) {
            if !bound.text.isEmpty { bound = bound + ", " }
            bound = bound + "\(value)"
        }
        repeat bind(each cursor.values)
        // One column needs no row value, of which a statement's plan may be worse.
        if columns.count == 1 { return " AND " + list(columns, suffix: isDescending ? " < " : " > ") + bound }
        return " AND (" + list(columns, suffix: "") + (isDescending ? ") < (" : ") > (") + bound + ")"
    }

    private func list(_ columns: [StaticString], suffix: SQL) -> SQL {
        var sql: SQL = ""
        for (index, column) in columns.enumerated() {
            if index > 0 { sql = sql + ", " }
            sql = sql + SQL(column) + suffix
        }
        return sql
    }
}

/// Where a page of a list begins: after these values of the columns that order it.
package struct Cursor<each Value: CursorValue>: Sendable {
    package let values: (repeat each Value)

    package init(_ values: repeat each Value) {
        self.values = (repeat each values)
    }
}
