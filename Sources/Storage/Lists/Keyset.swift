/// The order of a paged list, and the cursors of its pages.
///
/// A cursor holds the values that the last item of a page has in the columns of the order; the next page begins after
/// them. So items that are added or removed meanwhile do not make others repeat or disappear. The last column must be
/// unique.
package struct Keyset<each Value: CursorValue>: Sendable {
    /// Included in the check of each cursor, so that a cursor of another list is refused.
    private let list: StaticString
    private let columns: [StaticString]
    private let isDescending: Bool

    /// - Parameters:
    ///   - list: the unique name of the list.
    ///   - columns: a column for each value, in order; empty for a list that is not paged by a statement.
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

    /// The text of a cursor, for `nextCursor`.
    ///
    /// - Parameter values: the values of the page's last item.
    package func text(of values: repeat each Value) -> String {
        var parts: [String] = []
        repeat parts.append((each values).cursorText)
        let text = parts.joined(separator: ".")
        return text + "~" + check(text)
    }

    /// Reads a cursor of this list; `nil` for a cursor of another list and for any other text.
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

    /// Eight hexadecimal digits that detect truncated and invented cursors. They need not be secret: every statement of
    /// a page has the owner of the rows as a condition.
    private func check(_ text: String) -> String {
        // FNV-1a, because Hasher returns different values in different processes.
        var hash: UInt64 = 0xcbf2_9ce4_8422_2325
        for byte in (list.description + "\u{0}" + text).utf8 { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01b3 }
        let digits = String(UInt32(truncatingIfNeeded: hash ^ (hash >> 32)), radix: 16)
        return String(repeating: "0", count: 8 - digits.count) + digits
    }

    // MARK: Statements

    /// The columns for `ORDER BY`.
    package var order: SQL { list(columns, suffix: isDescending ? " DESC" : "") }

    /// The condition of the items after a cursor, with ` AND` before it; empty at the beginning of a list.
    package func following(_ cursor: Cursor<repeat each Value>?) -> SQL {
        guard let cursor else { return "" }
        var bound: SQL = ""
        func bind(_ value: some CursorValue) {
            if !bound.text.isEmpty { bound = bound + ", " }
            bound = bound + "\(value)"
        }
        repeat bind(each cursor.values)
        // A row value of one column can lead to a worse query plan.
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

/// The position after which a page begins: the values of the columns of the order.
package struct Cursor<each Value: CursorValue>: Sendable {
    package let values: (repeat each Value)

    package init(_ values: repeat each Value) {
        self.values = (repeat each values)
    }
}
