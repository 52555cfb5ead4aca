import Model

/// The texts by which lists are sorted, and by which names are compared.
package enum LibrarySortKey {
    /// The longest key, in Unicode scalars. Cursors hold keys, and a cursor is part of an address.
    package static let maximumLength = 100

    /// The key of a title or name: its folded text, without what exceeds ``maximumLength``. Its order is that of its
    /// bytes in UTF-8.
    package static func sortKey(_ text: String) -> String {
        sortKey(folded: SearchText.folded(text))
    }

    /// The same of a text that is folded already.
    static func sortKey(folded: String) -> String {
        guard folded.utf8.count > maximumLength else { return folded }
        var view = String.UnicodeScalarView()
        view.append(contentsOf: folded.unicodeScalars.prefix(maximumLength))
        return String(view)
    }
}
