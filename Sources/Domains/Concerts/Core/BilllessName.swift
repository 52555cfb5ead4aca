import Model

/// The name of an event without a bill, which is all that shows whose event it is.
///
/// It is an artist's event when the name is the artist's, or when it begins with the artist's whole name and a
/// separator or bracket: `X - Tour`, `X: Tour`, `X | Tour`, `X (Tour)`, `X《Tour》`, or `@` and a place: `X @ Hall`. So it is
/// before guests (`X feat. Y`) and the title of a tour (`X “Title” Tour`); see ``BilllessSeparators``. If there are more words before the separator, it is not the artist. After the separator, everything is allowed except
/// what is not a concert of the artist: a tribute to the artist, songs of the artist that others perform, a musical, an
/// exhibition (``otherThings``). In segments without concerts, only the whole name counts.
struct BilllessName {
    private let name: String
    private let segment: String?

    /// - Parameter segment: Ticketmaster's segment.
    init(_ name: String, segment: String?) {
        self.name = name
        self.segment = segment
    }

    func isArtists(_ names: Set<FoldedName>) -> Bool {
        if names.contains(FoldedName(name)) { return true }
        if let segment, Self.segmentsWithoutConcerts.contains(segment.lowercased()) { return false }
        // What follows "@" is a place, whatever its words are.
        let named = Self.withoutPlace(name)
        if names.contains(FoldedName(named)) { return true }
        let keys = Set(names.map(\.key))
        // The longest of the artist's names that matches leaves the least for the addition.
        let text = Self.withCommonBrackets(named)
        // Some separators also occur in names, so the name is read both ways.
        let parts = OfferName(text).parts + OfferName(BilllessSeparators.plain(text, of: keys)).parts
        guard let part = parts.filter({ keys.contains($0.show) }).min(by: { $0.offer.count < $1.offer.count }) else {
            return false
        }
        return !Self.isAnotherThing(FoldedText.words(of: part.offer), keys)
    }

    private static func withoutPlace(_ name: String) -> String {
        let index = name.indices.last { index in
            guard "@＠".contains(name[index]), index > name.startIndex else { return false }
            let next = name.index(after: index)
            return name[name.index(before: index)].isWhitespace && next < name.endIndex && name[next].isWhitespace
        }
        return index.map { String(name[..<$0]) } ?? name
    }

    /// The name with the brackets in which Chinese puts titles as those that ``OfferName`` knows.
    private static func withCommonBrackets(_ name: String) -> String {
        String(
            name.map { character -> Character in
                switch character {
                case "《", "〈": "「"
                case "》", "〉": "」"
                default: character
                }
            })
    }

    private static let segmentsWithoutConcerts: Set = ["sports", "film"]

    /// Words that make an addition something other than the artist's concert, as events are named at Ticketmaster (US,
    /// UK, DE, ES, FR, IT, NL), Eventim and Ticketportal. Words that also occur in the names of tours (`cover`,
    /// `revival`, `museum`) are not included.
    private static let otherThings: Set = [
        "tribute", "tributes", "tributeband", "coverband", "coverbands", "tributo", "hommage", "homenaje", "omaggio",
        "eerbetoon", "pocta", "exhibition", "exposicion", "exposition", "ausstellung", "tentoonstelling", "wystawa",
        "vystava", "karaoke", "tribut", "tributt", "hyllning", "hyldest", "трибьют", "трибют", "トリビュート", "致敬", "헌정",
        "documentary", "documentaire", "documental", "documentario", "dokumentarfilm", "dokumentation", "docufilm",
        "screening", "filmvorfuhrung", "candlelight", "lasershow",
    ]
    /// The same in two words.
    private static let otherPairs: [(String, String)] = [
        ("listening", "party"), ("revival", "band"), ("revival", "show"), ("laser", "show"), ("dance", "class"),
        ("hold", "dla"), ("club", "night"), ("pre", "party"),
    ]
    /// What follows `musical` where it is the noun: `A Musical in Two Acts`, but not `A Musical Journey`.
    private static let afterMusical: Set = [
        "in", "by", "about", "von", "uber", "de", "di", "par", "por", "sobre", "su",
    ]
    /// Words for what others do with the artist's songs if another name follows: `X - Cover by Y`.
    private static let performing: Set = [
        "cover", "covers", "covered", "performed", "played", "sung", "interpreted", "gespielt", "interpretiert",
        "gesungen", "interpretado", "interpretada", "tocado", "interprete", "joue", "chante", "interpretato",
        "suonato", "gespeeld", "gezongen", "grane",
    ]
    private static let by: Set = ["by", "von", "par", "por", "de", "da", "di", "door"]
    /// Words between a tribute and the artist it honors.
    private static let honouring: Set = ["to", "for", "a", "au", "aux", "an", "fur", "al", "ai", "aan", "voor"]

    /// - Parameter names: the artist's names, folded.
    private static func isAnotherThing(_ words: [String], _ names: Set<String>) -> Bool {
        if isMusical(words) || isByOthers(words, names) || words == ["hold"] { return true }
        if zip(words, words.dropFirst()).contains(where: { pair in otherPairs.contains { $0 == pair } }) { return true }
        guard let index = words.firstIndex(where: otherThings.contains) else { return false }
        let rest = words[(index + 1)...]
        guard let next = rest.first, honouring.contains(next) else { return true }
        // "X: A Tribute to Y" is a concert of X; "X - A Tribute to X" is not.
        let honoured = FoldedName(rest.dropFirst().joined(separator: " ")).key
        return honoured.isEmpty || names.contains { honoured.hasPrefix($0) }
    }

    private static func isMusical(_ words: [String]) -> Bool {
        if let last = words.last, last.hasSuffix("musical") || last.hasSuffix("musicale") { return true }
        return zip(words, words.dropFirst()).contains { $0.hasSuffix("musical") && afterMusical.contains($1) }
    }

    /// Whether the artist's songs are performed by somebody else: `X - Cover by Y`, but not `X - Played by X`.
    private static func isByOthers(_ words: [String], _ names: Set<String>) -> Bool {
        words.indices.dropLast(2).contains { position in
            guard performing.contains(words[position]), by.contains(words[position + 1]) else { return false }
            let performer = FoldedName(words[(position + 2)...].joined(separator: " ")).key
            return !names.contains { performer.hasPrefix($0) }
        }
    }
}
