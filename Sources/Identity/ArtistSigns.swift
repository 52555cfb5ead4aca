/// Rewrites signs and abbreviations between artists as the words and signs at which ``ArtistParts`` splits.
///
/// In titles they have other meanings (`2×4`, `C+C`), so only lists of artists are read this way.
enum ArtistSigns {
    static func plain(_ text: String) -> String {
        let all = Array(text.unicodeScalars)
        guard all.contains(where: isSpecial) else { return text }
        let scalars = SpacelessLists.divided(NameBrackets.plain(all))
        var plain = String.UnicodeScalarView()
        var index = 0
        while index < scalars.count {
            let (replacement, length) = replacement(at: index, in: scalars)
            if let replacement {
                plain.append(contentsOf: replacement.unicodeScalars)
            } else {
                plain.append(scalars[index])
            }
            index += length
        }
        return String(plain)
    }

    private static func isSpecial(_ scalar: Unicode.Scalar) -> Bool {
        signs.contains(scalar) || SpacelessLists.words.contains(scalar) || NameBrackets.isBracket(scalar)
    }

    private static let crosses: Set<Unicode.Scalar> = ["×", "✕", "✖", "⨯", "╳"]
    private static let bullets: Set<Unicode.Scalar> = ["‣", "⁃", "⬝", "❘", "❙", "︱", "╱"]
    /// Signs that are part of a name if no space is next to them: `★STAR★`.
    private static let ornaments: Set<Unicode.Scalar> = ["♦", "◆", "★", "☆", "✦", "♥", "❤", "→", "↔", "⇄", "✩"]
    private static let signs = crosses.union(bullets).union(ornaments).union(["+", "＋", "/"])

    /// - Returns: the replacement for the sign at an index, and the number of scalars that it replaces.
    private static func replacement(at index: Int, in scalars: [Unicode.Scalar]) -> (text: String?, length: Int) {
        func at(_ index: Int) -> Unicode.Scalar { scalars.indices.contains(index) ? scalars[index] : " " }
        func isSpace(_ index: Int) -> Bool { at(index).properties.isWhitespace }
        let areLetters = at(index - 1).properties.isAlphabetic && at(index + 1).properties.isAlphabetic
        let isSpaced = isSpace(index - 1) && isSpace(index + 1)
        switch scalars[index] {
        case let cross where crosses.contains(cross): return (areLetters ? " x " : isSpaced ? "x" : nil, 1)
        case let bullet where bullets.contains(bullet): return ("•", 1)
        case let ornament where ornaments.contains(ornament): return (isSpaced ? "•" : nil, 1)
        case "+", "＋": return (areLetters ? " + " : nil, 1)
        case "w" where isSpace(index - 1) && at(index + 1) == "/" && index > 0: return ("with ", 2)
        case "f" where isSpace(index - 1) && at(index + 1) == "/" && index > 0: return ("feat ", 2)
        default: return (nil, 1)
        }
    }
}
