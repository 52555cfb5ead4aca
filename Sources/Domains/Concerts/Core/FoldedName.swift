import Model

/// An artist's name in the form in which names are compared: different spellings of a name have equal keys.
///
/// In addition to ``FoldedText``, spaces, punctuation and a leading "The" are removed ("AC/DC" is "ACDC"), "&", "+" and
/// "and" are the same word, and signs used as letters become those letters ("P!nk", "Ke$ha"). A name without letters
/// and digits keeps its signs ("!!!"), so that only a blank name has an empty key.
package struct FoldedName: Hashable, Sendable {
    /// In composed Unicode (NFC), so that it can be stored and compared in SQL.
    package let key: String

    package init(_ name: String) {
        let scalars = FoldedText.scalars(of: name)
        guard scalars.contains(where: FoldedText.isWordPart) else {
            key = Self.text(scalars.filter { !$0.properties.isWhitespace }[...])
            return
        }
        var words = Self.words(of: scalars)
        if Self.endsWithArticle(scalars) { words.removeLast() }
        // "The The" keeps its first word.
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

    /// Whether a name is written as in catalogs: "Beatles, The".
    private static func endsWithArticle(_ scalars: [Unicode.Scalar]) -> Bool {
        guard let comma = scalars.lastIndex(of: ","), scalars[..<comma].contains(where: FoldedText.isWordPart)
        else { return false }
        return FoldedText.words(of: Array(scalars[comma...])) == ["the"]
    }

    /// "Florence + The Machine" is also written without the article.
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
