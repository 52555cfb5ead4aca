/// Brackets in lists of artists. Most enclose an addition, such as `(feat. Ada)` or `(UK)`, but some belong to a name,
/// and some enclose the whole list, as programs print lists: `['Nora Vale', 'Ada Kern']`.
enum NameBrackets {
    static func isBracket(_ scalar: Unicode.Scalar) -> Bool { closing[scalar] != nil }

    private static let closing: [Unicode.Scalar: Unicode.Scalar] = ["(": ")", "[": "]", "{": "}"]
    /// In scalars. `(squared)` may belong to a name, but whole sentences do not.
    private static let longestInName = 16

    /// The text without brackets around all of it, and without those that belong to a name.
    static func plain(_ text: [Unicode.Scalar]) -> [Unicode.Scalar] {
        let scalars = inside(text[...]) ?? text[...]
        var plain: [Unicode.Scalar] = []
        var index = scalars.startIndex
        while index < scalars.endIndex {
            guard let end = endOfBrackets(at: index, in: scalars), isOfName(index, end, in: scalars) else {
                plain.append(scalars[index])
                index += 1
                continue
            }
            plain += scalars[(index + 1)..<end]
            index = end + 1
        }
        return plain
    }

    /// What is in the brackets around the whole text; `nil` for a text that is not in brackets.
    private static func inside(_ scalars: ArraySlice<Unicode.Scalar>) -> ArraySlice<Unicode.Scalar>? {
        let text = trimmed(scalars)
        guard let first = text.first, let last = text.last, text.count > 2, closing[first] == last else { return nil }
        let inside = text.dropFirst().dropLast()
        // `(Nora) and (Ada)`
        let isWhole = !inside.contains { isBracket($0) || closing.values.contains($0) }
        return isWhole ? inside : nil
    }

    private static func trimmed(_ text: ArraySlice<Unicode.Scalar>) -> ArraySlice<Unicode.Scalar> {
        let start = text.drop { $0.properties.isWhitespace }
        guard let last = start.lastIndex(where: { !$0.properties.isWhitespace }) else { return [] }
        return start[...last]
    }

    /// The index of the closing bracket, if the brackets at an index enclose one word.
    private static func endOfBrackets(at index: Int, in text: ArraySlice<Unicode.Scalar>) -> Int? {
        guard let close = closing[text[index]] else { return nil }
        let inside = text[(index + 1)...].prefix(longestInName + 1).prefix { isLetter($0) }
        guard !inside.isEmpty, inside.count <= longestInName, inside.endIndex < text.endIndex,
            text[inside.endIndex] == close
        else { return nil }
        return inside.endIndex
    }

    /// Whether a letter touches the brackets around a word: `f(x)`, `(G)I-DLE`. A country after a name, such as
    /// `Lanterns(UK)`, is an addition. Scripts that are written without spaces put additions next to names, too.
    private static func isOfName(_ start: Int, _ end: Int, in text: ArraySlice<Unicode.Scalar>) -> Bool {
        if end + 1 < text.endIndex, isLetter(text[end + 1]) { return true }
        guard start > text.startIndex, isLetter(text[start - 1]) else { return false }
        let isCountry =
            (2...3).contains(end - start - 1) && text[(start + 1)..<end].allSatisfy(\.properties.isUppercase)
        let isOneLetter = start - 1 == text.startIndex || !isLetter(text[start - 2])
        return !isCountry || isOneLetter
    }

    /// A letter of an alphabet that is written with spaces: Latin, Greek, Cyrillic, Armenian.
    private static func isLetter(_ scalar: Unicode.Scalar) -> Bool {
        scalar.value < 0x590 && scalar.properties.isAlphabetic
    }
}
