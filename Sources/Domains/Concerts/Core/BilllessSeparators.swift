import Model

/// Separators in the names of events without a bill that also occur within names of artists, and are therefore not those
/// of ``OfferName``: a dash with a space on one side, quotation marks, ornaments, guests.
enum BilllessSeparators {
    private static let dashes: Set<Character> = ["-", "–", "—", "－", "―"]
    private static let quotes: Set<Character> = ["\"", "“", "”", "„", "«", "»", "‟", "＂"]
    private static let ornaments: Set<Character> = ["★", "☆", "✦", "♦", "◆", "♥", "*", "⚡", "♪", "♫", ">", ";"]
    /// Words before the names of guests.
    private static let featuring: Set = ["feat", "ft", "featuring"]
    private static let with: Set = ["with", "w", "mit", "con", "avec", "met"]
    /// Words for guests who are not named.
    private static let guests: Set = [
        "special", "guest", "guests", "support", "supports", "friends", "gaste", "gast", "invitados", "invitado",
        "invites", "invite", "ospiti", "ospite", "gasten", "goscie", "hoste",
    ]

    /// The name with a bar in place of each of these separators.
    ///
    /// - Parameter names: the keys of the artist's names. After a name of one word, `with` may continue another name
    ///   (`Sleeping with Sirens`).
    static func plain(_ name: String, of names: Set<String>) -> String {
        let parts = separated(name).split(whereSeparator: \.isWhitespace).map(String.init)
        var plain: [String] = []
        for (index, part) in parts.enumerated() {
            let word = FoldedText.words(of: part).joined()
            let next = index + 1 < parts.count ? FoldedText.words(of: parts[index + 1]).joined() : ""
            let before = plain.joined(separator: " ")
            let isName = names.contains(FoldedName(before).key)
            switch part {
            case _ where isName && featuring.contains(word): plain.append("|")
            case _ where isName && plain.count > 1 && with.contains(word): plain.append("|")
            case "+", "&": plain.append(isName && guests.contains(next) ? "|" : part)
            // `X, live`, but not `Tyler, The Creator`
            case _ where part.hasSuffix(",") && ShowAddition.isTour(next):
                plain += [String(part.dropLast()), "|"]
            default: plain.append(part)
            }
        }
        return plain.joined(separator: " ")
    }

    private static func separated(_ name: String) -> String {
        let characters = Array(name)
        return characters.indices.map { index -> String in
            let character = characters[index]
            if quotes.contains(character) { return " | " }
            let isAfterSpace = index > 0 && characters[index - 1].isWhitespace
            let isBeforeSpace = index + 1 < characters.count && characters[index + 1].isWhitespace
            let isDouble =
                index > 0 && dashes.contains(characters[index - 1])
                || index + 1 < characters.count && dashes.contains(characters[index + 1])
            switch character {
            case _ where dashes.contains(character) && (isAfterSpace != isBeforeSpace || isDouble): return " | "
            case _ where ornaments.contains(character) && (isAfterSpace || isBeforeSpace): return " | "
            default: return String(character)
            }
        }.joined()
    }
}
