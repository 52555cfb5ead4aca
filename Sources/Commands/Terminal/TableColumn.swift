/// A column of a table.
struct TableColumn {
    struct Cell: ExpressibleByStringInterpolation {
        var text: String
        var style: TextStyle?

        init(_ text: String, style: TextStyle? = nil) {
            self.text = text
            self.style = style
        }

        init(stringLiteral text: String) { self.init(text) }
    }

    var title: String
    var cells: [Cell]
    /// The narrowest width that the cells are cut to; `nil` when they are never cut.
    var minimum: Int?
    /// The order in which columns are left out of a narrow table, the lowest first; `nil` when it is never left out.
    var dropOrder: Int?
    /// Whether the cells are aligned right.
    var isNumber = false

    /// The width of the widest cell, in terminal columns.
    var naturalWidth: Int { cells.reduce(TextWidth.of(title)) { max($0, TextWidth.of($1.text)) } }
}
