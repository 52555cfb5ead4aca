/// The names that people show to others, in any script.
enum DisplayName {
    /// The most marks over and under one letter.
    static let marksPerLetter = 2

    /// The name without what would disturb the text around it: direction controls, invisible characters, and marks in
    /// stacks. Emoji keep the joiners and variations that they consist of.
    static func cleaned(_ text: String) -> String {
        let scalars = Array(text.unicodeScalars)
        var cleaned = String.UnicodeScalarView()
        var marks = marksPerLetter
        for (index, scalar) in scalars.enumerated() {
            guard !isInvisible(scalar) || isPartOfEmoji(index, of: scalars) else { continue }
            switch scalar.properties.generalCategory {
            case .nonspacingMark where !scalar.properties.isVariationSelector, .enclosingMark:
                // Marks without a letter before them would be drawn over other text.
                marks += 1
                guard marks <= marksPerLetter else { continue }
            case .spacingMark, .format, .nonspacingMark: break
            default: marks = 0
            }
            cleaned.append(scalar)
        }
        return String(cleaned)
    }

    static func isInvisible(_ scalar: Unicode.Scalar) -> Bool {
        scalar.properties.isDefaultIgnorableCodePoint || (0xFFF9...0xFFFB).contains(scalar.value)
    }

    /// A joiner between two emoji, or the variation of one.
    private static func isPartOfEmoji(_ index: Int, of scalars: [Unicode.Scalar]) -> Bool {
        guard index > 0 else { return false }
        let former = scalars[index - 1]
        switch scalars[index] {
        case "\u{FE0F}": return former.isPictograph
        case "\u{200D}":
            guard index + 1 < scalars.count else { return false }
            return (former.isPictograph || former == "\u{FE0F}") && scalars[index + 1].isPictograph
        default: return false
        }
    }
}

extension Unicode.Scalar {
    /// An emoji or a skin tone, but not a digit.
    var isPictograph: Bool { properties.isEmoji && !isASCII }
}
