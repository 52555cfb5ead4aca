import Model

/// An artist's name as it is compared: two spellings of one name have equal keys.
///
/// Beyond ``FoldedText``: blanks and punctuation go ("AC/DC" is "ACDC"), so does a leading "The",
/// "&", "+" and "and" are one word, and signs that stand for letters are read as these ("P!nk",
/// "Ke$ha"). A name without any letter or digit keeps its signs ("!!!"), so that only a blank
/// name folds to nothing.
package struct FoldedName: Hashable, Sendable {
    /// Composed Unicode, stable enough to be stored and compared in SQL.
    package let key: String

    package init(_ name: String) {
        let scalars = FoldedText.scalars(of: name)
        guard scalars.contains(where: FoldedText.isWordPart) else {
            key = Self.text(scalars.filter { !$0.properties.isWhitespace }[...])
            return
        }
        var words = Self.words(of: scalars)
        if Self.endsWithArticle(scalars) { words.removeLast() }
        // "The The" is a name; what would be left of it is not.
        if words.first == "the", words.contains(where: { $0 != "the" }) { words.removeFirst() }
        key = FoldedText.composed(Self.withoutInnerArticles(words).joined())
    }

    package var isEmpty: Bool { key.isEmpty }

    private static func words(of scalars: [Unicode.Scalar]) -> [String] {
        var words: [String] = []
        var word: [Unicode.Scalar] = []
        func isLetter(_ index: Int) -> Bool {
            scalars.indices.contains(index) && scalars[index].properties.isAlphabetic
        }
        func flush() {
            if !word.isEmpty { words.append(text(word[...])) }
            word = []
        }
        for (index, scalar) in scalars.enumerated() {
            switch scalar {
            case _ where FoldedText.isWordPart(scalar):
                word.append(scalar)
            case "$" where isLetter(index - 1) || isLetter(index + 1):
                word.append("s")
            case "!" where isLetter(index - 1) && isLetter(index + 1):
                word.append("i")
            case "&":
                flush()
                words.append("and")
            case "+":
                flush()
                let joins = !words.isEmpty && scalars[(index + 1)...].contains(where: FoldedText.isWordPart)
                words.append(joins ? "and" : "plus")
            default:
                flush()
            }
        }
        flush()
        return words
    }

    /// Catalogue order: "Beatles, The".
    private static func endsWithArticle(_ scalars: [Unicode.Scalar]) -> Bool {
        guard let comma = scalars.lastIndex(of: ","), scalars[..<comma].contains(where: FoldedText.isWordPart)
        else { return false }
        return FoldedText.words(of: Array(scalars[comma...])) == ["the"]
    }

    /// "Florence + The Machine" is also written without its article.
    private static func withoutInnerArticles(_ words: [String]) -> [String] {
        words.indices.filter { index in
            !(words[index] == "the" && index > 0 && words[index - 1] == "and" && index + 1 < words.count)
        }.map { words[$0] }
    }

    private static func text(_ scalars: ArraySlice<Unicode.Scalar>) -> String {
        var view = String.UnicodeScalarView()
        view.append(contentsOf: scalars)
        return FoldedText.composed(String(view))
    }
}
