import Model

/// The keys by which lists are sorted and names are compared.
package enum LibrarySortKey {
    /// The maximum length of a key in Unicode scalars. It is limited because cursors contain keys and are part of URLs.
    package static let maximumLength = 100

    /// The key of a title or name: its folded text, truncated to ``maximumLength``. Keys are ordered by their UTF-8
    /// bytes.
    package static func sortKey(_ text: String) -> String {
        sortKey(folded: SearchText.folded(text))
    }

    /// The key of a text that is already folded.
    package static func sortKey(folded: String) -> String {
        guard folded.utf8.count > maximumLength else { return folded }
        var view = String.UnicodeScalarView()
        view.append(contentsOf: folded.unicodeScalars.prefix(maximumLength))
        return String(view)
    }
}
