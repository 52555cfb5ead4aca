import Model

/// The name of a listing that goes on after a show's name: `Tour X | Hotel Experience` sells something around `Tour X`.
///
/// What the addition says does not matter, since sellers invent new words for what they sell, but for two: one that
/// names nobody but performers of the bill ("Tour X (with Moby)") is the show's name written in full, and one that
/// names a performance of the day ("Tour X - Matinee") is a show.
struct OfferName {
    /// A show's name in front of a separator, and what follows that.
    struct Part: Equatable {
        /// The show's name, folded.
        var show: String
        /// What is sold, as its seller writes it.
        var offer: String
    }

    /// Every way to part the name, the shortest show's name first.
    let parts: [Part]

    /// More separators than any name needs.
    private static let maximumParts = 8
    /// What stands between the names of performers.
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

    /// What the name says beyond a show's; `nil` where it does not go on after that.
    func offer(around show: String) -> String? {
        let key = FoldedName(show).key
        // Of "X: Y | Z" around "X: Y", what follows the longer name.
        return parts.last { $0.show == key }?.offer
    }

    /// Whether an addition names only who plays.
    static func isBilling(_ offer: String, of performers: some Sequence<String>) -> Bool {
        let names = Set(performers.flatMap(FoldedText.words(of:)))
        return FoldedText.words(of: offer).allSatisfy { names.contains($0) || billing.contains($0) }
    }

    /// Whether an addition tells one performance of a day from another: `Matinee`, `Early Show`.
    static func isPerformance(_ offer: String) -> Bool {
        let words = FoldedText.words(of: offer)
        return !words.isEmpty && words.allSatisfy(performances.contains)
    }

    /// A bar, a colon, a bullet or a bracket; a dash only between blanks, since names have hyphens.
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
