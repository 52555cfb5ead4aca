/// Lays out a table whose lines are no wider than the terminal.
package struct TableLayout {
    private static let gap = 2

    /// The columns that are shown, with their widths.
    let columns: [(column: TableColumn, width: Int)]

    /// Columns with only empty cells are left out. If the table is too wide, its widest columns are cut; when all are
    /// at their minimum, columns are left out (``TableColumn/dropOrder``).
    package init(_ columns: [TableColumn], width: Int) {
        var shown = columns.filter { column in column.cells.contains { !$0.text.isEmpty } }
        var widths = Self.widths(of: shown, within: width, isLast: false)
        while widths == nil,
            let next = shown.indices.filter({ shown[$0].dropOrder != nil })
                .min(by: { shown[$0].dropOrder ?? 0 < shown[$1].dropOrder ?? 0 })
        {
            shown.remove(at: next)
            widths = Self.widths(of: shown, within: width, isLast: false)
        }
        // The columns that are never left out are cut below their minimum.
        let final = widths ?? Self.widths(of: shown, within: width, isLast: true) ?? shown.map(\.naturalWidth)
        self.columns = Array(zip(shown, final)).map { (column: $0, width: $1) }
    }

    /// - Parameter isLast: whether to cut below the minimums.
    private static func widths(of columns: [TableColumn], within width: Int, isLast: Bool) -> [Int]? {
        var widths = columns.map { column in
            isLast || column.minimum != nil ? min(column.naturalWidth, max(width, 1)) : column.naturalWidth
        }
        var excess = widths.reduce(0, +) + gap * max(0, columns.count - 1) - width
        while excess > 0 {
            let cuttable = columns.indices.filter { index in
                widths[index] > (isLast ? 1 : columns[index].minimum ?? widths[index])
            }
            guard let widest = cuttable.max(by: { widths[$0] < widths[$1] }) else { return nil }
            widths[widest] -= 1
            excess -= 1
        }
        return widths
    }

    /// The titles and then the rows.
    package func lines(isColored: Bool) -> [String] {
        let titles = line(columns.map { (.init($0.column.title, style: .bold), $0) }, isColored: isColored)
        let rows = (columns.first?.column.cells ?? []).indices.map { row in
            line(columns.map { ($0.column.cells[row], $0) }, isColored: isColored)
        }
        return [titles] + rows
    }

    private func line(
        _ cells: [(cell: TableColumn.Cell, place: (column: TableColumn, width: Int))], isColored: Bool
    ) -> String {
        let end = (cells.lastIndex { !$0.cell.text.isEmpty } ?? -1) + 1
        return cells[..<end].enumerated().map { index, entry in
            let text = TextWidth.cut(entry.cell.text, to: entry.place.width)
            let styled = isColored ? entry.cell.style?.applied(to: text) ?? text : text
            let blanks = String(repeating: " ", count: entry.place.width - TextWidth.of(text))
            if entry.place.column.isNumber { return blanks + styled }
            return index == end - 1 ? styled : styled + blanks
        }.joined(separator: String(repeating: " ", count: Self.gap))
    }
}
