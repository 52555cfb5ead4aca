import Model

/// Names of artists that say that others imitate somebody: `Tribute to Nora Vale`, `Lanterns Cover Band`.
///
/// A word with this meaning in titles, too (`tribute`, `karaoke`), is a keyword. Those here mean it only in names. They
/// come from the names of bands at concerts and in catalogs. To support another language, add its words.
enum ImitatorNames {
    /// Words that say so wherever they are in a name.
    private static let words = hashes("tribut tributt tribuut hyllning hyllest hyldest pocta eerbetoon")
    /// Words that say so if the second one follows the first. A name that ends with `Revival` alone can be a band's own.
    private static let pairs: [(String, String)] = [
        ("salute", "to"), ("ode", "to"), ("ode", "an"), ("hołd", "dla"), ("revival", "band"), ("revival", "show"),
    ]
    /// Words that say so at the end of a name.
    private static let endings = hashes("covers revivalband")
    /// In scripts that are written without spaces between words.
    private static let parts = ["致敬", "헌정", "トリビュート"].map { FoldedText.scalars(of: $0) }

    private static let followers: [UInt64: Set<UInt64>] = pairs.reduce(into: [:]) { found, pair in
        found[hash(pair.0), default: []].insert(hash(pair.1))
    }

    private static func hash(_ word: String) -> UInt64 { StableHash.of(FoldedText.scalars(of: word)) }

    private static func hashes(_ words: String) -> Set<UInt64> {
        Set(words.split(separator: " ").map { hash(String($0)) })
    }

    /// Whether a list of artists has such a name.
    static func areIn(_ text: TokenText) -> Bool {
        let all = text.words
        for (index, word) in all.enumerated() {
            if words.contains(word.hash) { return true }
            if index + 1 < all.count {
                if followers[word.hash]?.contains(all[index + 1].hash) == true { return true }
            } else if endings.contains(word.hash), all.dropLast().contains(where: { !$0.is(.article) }) {
                // `The Covers` is a name.
                return true
            }
        }
        return parts.contains { part in isPart(part, of: text.scalars) }
    }

    private static func isPart(_ part: [Unicode.Scalar], of scalars: [Unicode.Scalar]) -> Bool {
        guard let first = part.first, scalars.count >= part.count else { return false }
        return scalars.indices.dropLast(part.count - 1).contains { index in
            scalars[index] == first && scalars[index..<(index + part.count)].elementsEqual(part)
        }
    }
}
