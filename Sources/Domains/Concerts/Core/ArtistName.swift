import Model

/// A valid artist's name: 1 to 200 characters without control characters.
package struct ArtistName: Hashable, Sendable {
    /// Counted in Unicode code points, as in the API's documentation.
    package static let maximumLength = 200

    /// Without leading and trailing whitespace.
    package let text: String
    package let folded: FoldedName

    package init(_ text: String) throws(ArtistListError) {
        let scalars = text.unicodeScalars
        guard let first = scalars.firstIndex(where: { !$0.properties.isWhitespace }),
            let last = scalars.lastIndex(where: { !$0.properties.isWhitespace })
        else { throw .nameEmpty }
        let trimmed = scalars[first...last]
        guard trimmed.count <= Self.maximumLength else {
            throw .nameTooLong(length: trimmed.count, limit: Self.maximumLength)
        }
        if let control = trimmed.first(where: Self.isControl) {
            throw .nameHasControlCharacter(codePoint: control.value)
        }
        let folded = FoldedName(String(trimmed))
        guard !folded.isEmpty else { throw .nameEmpty }
        self.text = String(trimmed)
        self.folded = folded
    }

    private static func isControl(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.properties.generalCategory {
        case .control, .lineSeparator, .paragraphSeparator: true
        // Bidirectional controls could reorder the text around the name on a page.
        default: (0x202A...0x202E).contains(scalar.value) || (0x2066...0x2069).contains(scalar.value)
        }
    }
}
