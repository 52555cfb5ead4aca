import Model

/// An artist's name that was checked: 1 to 200 characters, none of them invisible controls.
package struct ArtistName: Hashable, Sendable {
    /// In Unicode code points, as the API's documentation counts.
    package static let maximumLength = 200

    /// Without blanks around it.
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
        // Marks that turn the direction of what follows could rearrange the page around the name.
        default: (0x202A...0x202E).contains(scalar.value) || (0x2066...0x2069).contains(scalar.value)
        }
    }
}
