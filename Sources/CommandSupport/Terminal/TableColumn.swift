/// A column of a table.
package struct TableColumn {
    package struct Cell: ExpressibleByStringInterpolation {
        var text: String
        var style: TextStyle?

        package init(_ text: String, style: TextStyle? = nil) {
            self.text = text
            self.style = style
        }

        package init(stringLiteral text: String) { self.init(text) }
    }

    var title: String
    var cells: [Cell]
    /// The narrowest width that the cells are cut to; `nil` when they are never cut.
    var minimum: Int?
    /// The order in which columns are left out of a narrow table, the lowest first; `nil` when it is never left out.
    var dropOrder: Int?
    /// Whether the cells are aligned right.
    var isNumber: Bool

    package init(
        title: String, cells: [Cell], minimum: Int? = nil, dropOrder: Int? = nil, isNumber: Bool = false
    ) {
        self.title = title
        self.cells = cells
        self.minimum = minimum
        self.dropOrder = dropOrder
        self.isNumber = isNumber
    }

    /// The width of the widest cell, in terminal columns.
    var naturalWidth: Int { cells.reduce(TextWidth.of(title)) { max($0, TextWidth.of($1.text)) } }
}
