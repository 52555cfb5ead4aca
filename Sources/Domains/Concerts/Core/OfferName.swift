import Model

/// The name of a listing that consists of a show's name, a separator, and an addition after or before it: `Tour X |
/// Hotel Experience` and `Shuttle - Tour X` are offers around `Tour X`.
///
/// The words of the addition do not matter, because sellers invent new ones in every language. The exceptions are
/// additions that say more about the show itself: performers on the bill ("Tour X (with Moby)"), one of several
/// performances on the day ("Tour X - Matinee"), a note on age, stock or date ("Tour X (SOLD OUT)"), and the name of a
/// tour after or before the artist's bare name ("Moby: Tour X"); see ``ShowAddition``.
struct OfferName {
    /// A possible show's name, and the addition.
    struct Part: Equatable {
        /// The show's name, folded.
        var show: String
        /// The addition, as its seller writes it.
        var offer: String
    }

    /// The name split at each of its separators, with the addition at the end, the shortest show's name first.
    let parts: [Part]
    /// The same with the addition at the front.
    let frontParts: [Part]

    /// More separators than any name needs.
    private static let maximumParts = 8

    init(_ name: String) {
        var parts: [Part] = []
        var frontParts: [Part] = []
        for index in Self.separators(in: name).prefix(Self.maximumParts) {
            let (before, after) = (name[..<index], name[index...])
            if Self.opens(name[index]) || !Self.closes(name[index]) {
                let part = Part(show: FoldedName(String(before)).key, offer: Self.trimmed(after))
                if !part.show.isEmpty, !part.offer.isEmpty { parts.append(part) }
            }
            if !Self.opens(name[index]) {
                let part = Part(show: FoldedName(Self.trimmed(after)).key, offer: Self.trimmed(before))
                if !part.show.isEmpty, !part.offer.isEmpty { frontParts.append(part) }
            }
        }
        self.parts = parts
        self.frontParts = frontParts
    }

    /// The addition after a show's name; `nil` when the name does not begin with the show's.
    func offer(around show: String) -> String? {
        let key = FoldedName(show).key
        // "X: Y | Z" around a show named "X: Y" has the addition "Z".
        return parts.last { $0.show == key }?.offer
    }

    /// The number of separators in a name: of two names for one show, the one with fewer has less added to it.
    static func additions(in name: String) -> Int { separators(in: name).count { !closes(name[$0]) } }

    /// The positions in a name of bars, colons, bullets, brackets, and dashes between spaces. Hyphens without spaces
    /// are part of names.
    private static func separators(in name: String) -> [String.Index] {
        name.indices.filter { index in
            switch name[index] {
            case "|", ":", "•", "·", "(", "[", ")", "]", "：", "／", "（", "）", "｜", "【", "】", "「", "」", "『", "』":
                return true
            case "-", "–", "—", "/", "~", "〜", "－", "―", "»":
                let next = name.index(after: index)
                return index > name.startIndex && name[name.index(before: index)].isWhitespace
                    && next < name.endIndex && name[next].isWhitespace
            default: return false
            }
        }
    }

    private static func opens(_ character: Character) -> Bool { "([（【「『".contains(character) }
    private static func closes(_ character: Character) -> Bool { ")]）】」』".contains(character) }

    private static func trimmed(_ text: Substring) -> String {
        let isEdge = { (character: Character) in
            character.isWhitespace || "|:•·([])-–—/：／（）｜【】「」『』~〜－―»".contains(character)
        }
        var text = text.drop(while: isEdge)
        while let last = text.last, isEdge(last) { text.removeLast() }
        return String(text)
    }
}
