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
    /// The width that the column is cut to at most; `nil` when its cells are never cut.
    var minimum: Int?
    /// The order in which columns are left out where not all have room, the lowest first; `nil` when it stays.
    var yields: Int?
    var isNumber = false

    /// Columns of the terminal that it takes uncut.
    var naturalWidth: Int { cells.reduce(TextWidth.of(title)) { max($0, TextWidth.of($1.text)) } }
}
