import Model

/// A listing's name that consists of a show's name, a separator and an addition: `Tour X | Hotel Experience` is an
/// offer around `Tour X`.
///
/// The words of the addition do not matter, because sellers invent new ones, with two exceptions: an addition that
/// names only performers of the bill ("Tour X (with Moby)") completes the show's name, and an addition that names a
/// performance of the day ("Tour X - Matinee") makes the listing a show.
struct OfferName {
    /// A possible show's name, and the addition.
    struct Part: Equatable {
        /// The show's name, folded.
        var show: String
        /// The addition, as its seller writes it.
        var offer: String
    }

    /// The name split at each of its separators, the shortest show's name first.
    let parts: [Part]

    /// More separators than any name needs.
    private static let maximumParts = 8
    /// Words between the names of performers.
    private static let billing: Set = [
        "with", "feat", "ft", "featuring", "and", "plus", "special", "guest", "guests", "support",
    ]
    private static let performances: Set = [
        "matinee", "afternoon", "evening", "early", "late", "first", "second", "show", "performance",
    ]

    init(_ name: String) {
        var parts: [Part] = []
        var index = name.startIndex
        while index < name.endIndex, parts.count < Self.maximumParts {
            defer { index = name.index(after: index) }
            guard Self.separates(index, in: name) else { continue }
            let show = FoldedName(String(name[..<index])).key
            let offer = Self.trimmed(name[index...])
            if !show.isEmpty, !offer.isEmpty { parts.append(Part(show: show, offer: offer)) }
        }
        self.parts = parts
    }

    /// The addition to a show's name; `nil` when the name does not begin with the show's.
    func offer(around show: String) -> String? {
        let key = FoldedName(show).key
        // "X: Y | Z" around a show named "X: Y" has the addition "Z".
        return parts.last { $0.show == key }?.offer
    }

    /// Whether an addition names only performers.
    static func isBilling(_ offer: String, of performers: some Sequence<String>) -> Bool {
        let names = Set(performers.flatMap(FoldedText.words(of:)))
        return FoldedText.words(of: offer).allSatisfy { names.contains($0) || billing.contains($0) }
    }

    /// Whether an addition names one of several performances of a day: `Matinee`, `Early Show`.
    static func isPerformance(_ offer: String) -> Bool {
        let words = FoldedText.words(of: offer)
        return !words.isEmpty && words.allSatisfy(performances.contains)
    }

    /// Whether a character is a bar, colon, bullet, bracket, or a dash between spaces. Names have hyphens without
    /// spaces.
    private static func separates(_ index: String.Index, in name: String) -> Bool {
        switch name[index] {
        case "|", ":", "•", "·", "(", "[": return true
        case "-", "–", "—":
            let next = name.index(after: index)
            return index > name.startIndex && name[name.index(before: index)].isWhitespace
                && next < name.endIndex && name[next].isWhitespace
        default: return false
        }
    }

    private static func trimmed(_ text: Substring) -> String {
        let isEdge = { (character: Character) in character.isWhitespace || "|:•·([])-–—".contains(character) }
        var text = text.drop(while: isEdge)
        while let last = text.last, isEdge(last) { text.removeLast() }
        return String(text)
    }
}
