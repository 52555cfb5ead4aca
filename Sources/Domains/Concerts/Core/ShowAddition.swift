import Model

/// Additions to a show's name in a listing that say more about the show itself, and do not offer anything else.
///
/// Each table has one subject. Add words as sellers use them, folded (``FoldedText``).
enum ShowAddition {
    /// Words between the names of performers.
    private static let billing: Set = [
        "with", "feat", "ft", "featuring", "and", "plus", "special", "guest", "guests", "support",
    ]

    /// One of several performances on a day.
    private static let performances: Set = [
        "matinee", "afternoon", "evening", "early", "late", "first", "second", "show", "performance", "tarde", "noche",
        "funcion", "sesion", "primera", "segunda", "soiree", "seance", "apres", "midi", "soir", "nachmittag",
        "nachmittagsvorstellung", "abend", "abendvorstellung", "vorstellung", "fruhshow", "spatshow", "pomeriggio",
        "serale", "spettacolo", "middag", "avond", "voorstelling", "popoludnie", "wieczor", "odpoledne", "vecer",
        "set", "sets", "third", "fourth", "matine", "tercera", "pase", "premiere", "deuxieme", "erste", "zweite",
        "dritte", "primo", "secondo", "terzo", "prima", "seconda", "eerste", "tweede", "pierwszy", "drugi", "prvni",
        "druhy", "family", "familienkonzert", "familienshow", "familienvorstellung", "kinderkonzert", "familieconcert",
    ]
    /// Words beside a time of day.
    private static let clocks: Set = ["uhr", "h", "hrs", "am", "pm", "at", "um"]

    /// Tours and kinds of concerts, as they are called in Ticketmaster's shops in the US and UK, Spain, France,
    /// Germany, Italy, the Netherlands, Poland, Czechia and Scandinavia.
    private static let tours: Set = [
        "tour", "tours", "live", "unplugged", "acoustic", "residency", "anniversary", "concert", "concerts", "gira",
        "concierto", "conciertos", "directo", "aniversario", "tournee", "anniversaire", "konzert", "konzerte",
        "jubilaum", "turne", "concerto", "concerti", "anniversario", "concerten", "jubileum", "trasa",
        "koncert", "koncerty", "vyroci", "konsert", "konserter", "konsertti", "kiertue", "turneja",
    ]

    /// Notes on stock and date, and on children, as those shops write them.
    private static let notes: [[String]] = [
        "sold out", "soldout", "low tickets", "few tickets", "last tickets", "final tickets", "waitlist", "all ages",
        "no children", "adults only", "minimum age", "new date", "new venue", "extra date", "extra show", "date change",
        "venue change", "rescheduled", "postponed", "cancelled", "canceled", "agotado", "agotadas", "ultimas entradas",
        "nueva fecha", "aplazado", "cancelado", "complet", "reporte", "annule", "nouvelle date", "date supplementaire",
        "ausverkauft", "restkarten", "zusatzkonzert", "zusatzshow", "neuer termin", "verlegt", "verschoben", "abgesagt",
        "esaurito", "rinviato", "annullato", "nuova data", "uitverkocht", "laatste kaarten", "extra concert",
        "verplaatst", "afgelast", "wyprzedane", "wyprzedany", "ostatnie bilety", "nowa data", "nowy termin",
        "przeniesiony", "odwolany", "dodatkowy koncert", "vyprodano", "posledni vstupenky", "novy termin", "presunuto",
        "zruseno", "pridany koncert", "udsolgt", "utsolgt", "slutsalt", "utsald", "loppuunmyyty", "esgotado", "adiado",
        "ekstrakoncert", "extrakonsert", "lisakonsertti",
    ].map { $0.split(separator: " ").map(String.init) }

    /// Words that mark a number as an age.
    private static let ages: Set = [
        "age", "ages", "aged", "under", "over", "years", "yrs", "older", "mayores", "menores", "anos", "ans", "jahre",
        "jahren", "anni", "jaar", "lat", "let",
    ]

    /// Whether an addition names only performers.
    static func isBilling(_ offer: String, of performers: some Sequence<String>) -> Bool {
        let names = Set(performers.flatMap(FoldedText.words(of:)))
        return FoldedText.words(of: offer).allSatisfy { names.contains($0) || billing.contains($0) }
    }

    /// Whether an addition names one of several performances on a day: `Matinee`, `Early Show`.
    static func isPerformance(_ offer: String) -> Bool {
        let words = FoldedText.words(of: offer)
        guard words.contains(where: performances.contains) || hasTime(offer, words) else { return false }
        return words.allSatisfy { performances.contains($0) || clocks.contains($0) || isCount($0) }
    }

    /// A number of a performance or a part of a time: `2`, `2nd`, `18`, `6pm`, `20h30`, but not a year.
    private static func isCount(_ word: String) -> Bool {
        guard word.first?.isNumber == true, word.count <= 5 else { return false }
        let numbers = word.split { !$0.isNumber }
        return numbers.allSatisfy { $0.count <= 2 } && word.count(where: \.isLetter) <= 2
    }

    /// Whether a text has a time of day: `18:00`, `20h30`, `6pm`, `20 Uhr`.
    private static func hasTime(_ text: String, _ words: [String]) -> Bool {
        let parts = text.split(whereSeparator: \.isWhitespace)
        if parts.contains(where: { $0.split { ":.hH".contains($0) }.filter { $0.allSatisfy(\.isNumber) }.count == 2 }) {
            return true
        }
        return words.contains { word in
            let rest = word.drop(while: \.isNumber)
            return rest.count < word.count && ["am", "pm", "h", "uhr"].contains(String(rest))
        } || words.contains("uhr")
    }

    /// Whether an addition names a tour or a kind of concert: `Long Winter Tour`, `Live 2027`.
    static func isTour(_ offer: String) -> Bool {
        FoldedText.words(of: offer).contains { tours.contains($0) || $0.hasSuffix("tour") || $0.hasSuffix("tournee") }
    }

    /// Whether an addition is a note on stock, age or date: `SOLD OUT`, `21+ Event`, `No Children under 5 allowed`.
    static func isNote(_ offer: String) -> Bool {
        // "18+" and "+18": an age beside a plus.
        if zip(offer, offer.dropFirst()).contains(where: { $0.isNumber && $1 == "+" || $0 == "+" && $1.isNumber }) {
            return true
        }
        let words = FoldedText.words(of: offer)
        let hasNumber = words.contains { $0.first?.isNumber == true }
        return hasNumber && words.contains(where: ages.contains) || notes.contains { words.starts(with: $0) }
    }
}
