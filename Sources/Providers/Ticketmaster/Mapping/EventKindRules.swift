import Model

/// Distinguishes shows from extras such as parking and upgrades.
///
/// Sellers may mark extras by classification; otherwise only the name indicates it (``OfferPhrases``). Mistaking a show
/// for an extra does little harm: an extra without a show keeps its own row.
enum EventKindRules {
    /// - Parameters:
    ///   - performers: the names on the bill, whose words are ignored ("Parking Lot Band").
    ///   - days: how many days the event lasts, usually 1.
    static func kind(
        name: String, classifications: [ClassificationResponse], performers: [String], days: Int
    ) -> ConcertKind {
        let labels = classifications.flatMap { [$0.type, $0.subType] }.compactMap { $0.map(FoldedText.words(of:)) }
        let isSoldOnTop = labels.contains { ["upsell", "parking"].contains($0.first) }
        let performers = performers.map(FoldedText.words(of:))
        let stripped = removing(performers, from: FoldedText.words(of: name))
        let parts = parts(of: name)

        var found = kindsAnywhere(in: stripped)
        let wholes =
            parts.filter { !performers.contains($0) }
            + stripped.split(separator: bar).map(Array.init)
            + labels
            + (isSoldOnTop ? stripped.map { [$0] } : [])
        found.formUnion(wholes.compactMap { OfferPhrases.wholePart[$0.joined(separator: " ")] })
        found.formUnion(kindsOfParts(parts.map { removing(performers, from: $0) }))
        found.formUnion(kindsBesidePerformers(stripped))
        if let pass = passKind(stripped, days: days) { found.insert(pass) }
        if isSoldOnTop { found.insert(labels.contains(["parking"]) ? .parking : .upsell) }
        return precedence.first(where: found.contains) ?? .show
    }

    /// The kind of a name that matches several: VIP parking is parking.
    private static let precedence: [ConcertKind] = [.parking, .baggage, .festivalPass, .vip, .dayPass, .upsell]

    /// Replaces a performer, and prevents the words on either side from forming a phrase.
    private static let bar = "|"

    /// The kinds of all phrases that occur anywhere in a name.
    private static func kindsAnywhere(in words: [String]) -> Set<ConcertKind> {
        var kinds: Set<ConcertKind> = []
        for (index, word) in words.enumerated() {
            for phrase in OfferPhrases.anywhere[word] ?? [] where words[index...].starts(with: phrase.words) {
                kinds.insert(phrase.kind)
            }
        }
        return kinds
    }

    /// The words without the names of performers.
    private static func removing(_ performers: [[String]], from words: [String]) -> [String] {
        performers.reduce(words) { words, performer in
            guard !performer.isEmpty, performer.count <= words.count else { return words }
            var rest = words[...]
            var kept: [String] = []
            while let word = rest.first {
                if rest.starts(with: performer) {
                    kept.append(bar)
                    rest = rest.dropFirst(performer.count)
                } else {
                    kept.append(word)
                    rest = rest.dropFirst()
                }
            }
            return kept
        }
    }

    /// The parts of a name between its separators, as words.
    private static func parts(of name: String) -> [[String]] {
        name.replacing(" - ", with: "|")
            .split { "|–—:()[],/•·".contains($0) }
            .map { FoldedText.words(of: String($0)) }
            .filter { !$0.isEmpty }
    }

    /// The kinds of single parts of a name: a VIP offer, by two words in any order; and words at the edge of a part
    /// that has another part beside it.
    private static func kindsOfParts(_ parts: [[String]]) -> [ConcertKind] {
        parts.flatMap { part -> [ConcertKind] in
            var kinds: [ConcertKind] = []
            if part.contains(where: OfferPhrases.vipMarkers.contains),
                part.contains(where: OfferPhrases.vipNouns.contains)
            {
                kinds.append(.vip)
            }
            if parts.count > 1, part.first != "no" {
                kinds += [part.first, part.last].compactMap { $0.flatMap { OfferPhrases.edges[$0] } }
            }
            return kinds
        }
    }

    /// The kinds of what stands beside a performer's name without a separator: `Parking para X`, `Autobús desde Valencia
    /// X`. Prepositions at the ends do not count.
    private static func kindsBesidePerformers(_ words: [String]) -> [ConcertKind] {
        guard words.contains(bar) else { return [] }
        return words.split(separator: bar).flatMap { part -> [ConcertKind] in
            var part = part.drop(while: OfferPhrases.prepositions.contains)
            while let last = part.last, OfferPhrases.prepositions.contains(last) { part.removeLast() }
            guard part.first != "no" else { return [] }
            let whole = OfferPhrases.wholePart[part.joined(separator: " ")]
            let edges = [part.first, part.last].compactMap { $0.flatMap { OfferPhrases.edges[$0] } }
            return (whole.map { [$0] } ?? []) + edges
        }
    }

    /// Passes: "3-Day Pass", "Weekend Ticket", "Friday Ticket", "Abono 3 días", "Billet samedi" …
    private static func passKind(_ words: [String], days: Int) -> ConcertKind? {
        for (index, word) in words.enumerated() where OfferPhrases.passes.contains(word) {
            // In "3-Day General Admission Pass" the number is four words before the pass; in other languages it comes
            // after.
            let before = words[max(0, index - 4)..<index]
            let after = words[(index + 1)..<min(words.count, index + 4)].prefix { $0 != bar }
            if let day = before.lastIndex(where: isDay) {
                let count = day > 0 ? words[day - 1] : ""
                let isSeveral = isSeveral(count) ?? OfferPhrases.days.contains(words[day])
                return isSeveral ? .festivalPass : .dayPass
            }
            if let day = after.firstIndex(where: isDay), let isSeveral = isSeveral(words[day - 1]) {
                return isSeveral ? .festivalPass : .dayPass
            }
            if before.contains(where: OfferPhrases.severalDays.contains) { return .festivalPass }
            if let last = before.last, OfferPhrases.weekdays.contains(last) { return .dayPass }
            if let next = after.first, OfferPhrases.weekdays.contains(next) { return .dayPass }
            if days > 1 { return .festivalPass }
        }
        return nil
    }

    private static func isDay(_ word: String) -> Bool {
        OfferPhrases.day.contains(word) || OfferPhrases.days.contains(word)
    }

    /// Whether a number is greater than one; `nil` for a word that is not a number.
    private static func isSeveral(_ number: String) -> Bool? {
        Int(decimal: number, in: 0...1_000).map { $0 > 1 } ?? (OfferPhrases.numbers.contains(number) ? true : nil)
    }
}
