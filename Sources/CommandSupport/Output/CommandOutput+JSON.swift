/// Results that are printed as text, or as JSON with `--json`.
extension CommandOutput {
    package static func print(_ document: some Encodable, asJSON: Bool, words: @autoclosure () -> String) throws {
        try print(asJSON ? JSONDocument.text(document) : words())
    }

    /// Prints a list: as `{"items": […]}`, or as a table.
    ///
    /// - Parameter none: the text for an empty list.
    package static func print(
        items: [some Encodable], asJSON: Bool, none: String, columns: @autoclosure () -> [TableColumn]
    ) throws {
        if asJSON { return try print(JSONDocument.text(JSONItems(items: items))) }
        if items.isEmpty { return try print(none) }
        try print(columns: columns())
    }
}

/// A list as commands and the API write it.
package struct JSONItems<Item: Encodable>: Encodable {
    package var items: [Item]

    package init(items: [Item]) {
        self.items = items
    }
}
