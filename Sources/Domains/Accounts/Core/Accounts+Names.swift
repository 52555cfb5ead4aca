extension Accounts {
    /// In Unicode scalars, because one character on the screen may have any number of combining marks.
    static let longestName = 100

    /// A sentence for people.
    static let nameRule =
        "A name has 1 to 100 characters, single spaces between its words and none at its ends, and no invisible "
        + "characters, such as control characters, zero-width characters and direction marks."

    /// Whether a text can name a token: it has no invisible parts, so that two different names never look the same.
    static func isName(_ name: String) -> Bool {
        let scalars = Array(name.unicodeScalars)
        guard (1...longestName).contains(scalars.count), scalars.first?.isBlank == false, scalars.last?.isBlank == false
        else { return false }
        return scalars.indices.allSatisfy { index in
            let next = index + 1 < scalars.count ? scalars[index + 1] : nil
            return isVisible(scalars[index], after: index > 0 ? scalars[index - 1] : nil, before: next)
        }
    }

    private static func isVisible(
        _ scalar: Unicode.Scalar, after former: Unicode.Scalar?, before next: Unicode.Scalar?
    ) -> Bool {
        switch scalar {
        // The ideographic space is as wide as the letters between which it is typed.
        case " ", "\u{3000}": return former?.isBlank == false && next?.isBlank == false
        // Emoji are sequences: the variation of the sign before it, and the joiner of two.
        case "\u{FE0F}": return former?.isPictograph == true
        case "\u{200D}": return former.map { $0.isPictograph || $0 == "\u{FE0F}" } == true && next?.isPictograph == true
        // Blank letters.
        case "\u{2800}": return false
        default:
            let properties = scalar.properties
            guard !properties.isWhitespace, !properties.isDefaultIgnorableCodePoint else { return false }
            return switch properties.generalCategory {
            case .control, .format, .surrogate, .privateUse, .unassigned, .lineSeparator, .paragraphSeparator: false
            default: true
            }
        }
    }
}

extension Unicode.Scalar {
    fileprivate var isBlank: Bool { properties.isWhitespace }
}
