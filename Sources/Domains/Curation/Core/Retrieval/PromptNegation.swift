import Model

/// The words of a prompt that say what is not wanted: `no jazz`, `anything but Zoë Käfer`, `ohne Schlager`.
struct PromptNegation: Sendable, Hashable {
    /// The indices, among the folded words of the prompt, of each thing that is not wanted.
    let phrases: [[Int]]
    /// All of these indices.
    let positions: Set<Int>

    init(_ prompt: String) {
        var phrases: [[Int]] = []
        var count = 0
        for clause in prompt.split(whereSeparator: Self.endsClause) {
            let words = FoldedText.words(of: String(clause))
            phrases += Self.phrases(in: words).map { $0.map { count + $0 } }
            count += words.count
        }
        self.phrases = phrases
        positions = Set(phrases.joined())
    }

    private static func endsClause(_ character: Character) -> Bool { ",.;:!?()\n–—、。，！？".contains(character) }

    /// The words from each negation to the word that ends its scope. `no jazz or blues` is about two things.
    private static func phrases(in words: [String]) -> [[Int]] {
        var phrases: [[Int]] = []
        var isNegated = false
        for (position, word) in words.enumerated() {
            let earlier = words.prefix(position)
            let begins = isNegation(word, after: earlier)
            // "Nothing except jazz", "no artist other than Zoë Käfer".
            if begins, OnlyWords.except.contains(word), !(earlier.last.map(everything.contains) ?? false),
                isNegated || earlier.suffix(6).contains(where: OnlyWords.nothing.contains)
            {
                isNegated = false
            } else if begins || alternatives.contains(word) {
                isNegated = isNegated || begins
                phrases.append([])
            } else if ends.contains(word) {
                isNegated = false
            } else if isNegated, !fillers.contains(word) {
                phrases[phrases.count - 1].append(position)
            }
        }
        return phrases.filter { !$0.isEmpty }
    }

    private static func isNegation(_ word: String, after earlier: ArraySlice<String>) -> Bool {
        switch word {
        // `anything but jazz`, but not `nothing but jazz`.
        case "but": earlier.last.map(all.contains) ?? false
        case "than": earlier.last == "other" || earlier.last == "rather"
        // The end of `don't`.
        case "t": earlier.last.map(["don", "doesn"].contains) ?? false
        default: negations.contains(word)
        }
    }

    private static let everything: Set<String> = ["all", "everybody", "everyone", "everything"]
    private static let all: Set<String> = ["all", "any", "anybody", "anyone", "anything", "everyone", "everything"]

    /// Negations in the most common languages of prompts. `never` is not among them, since it is about listening.
    private static let negations: Set<String> = [
        "no", "not", "without", "except", "excluding", "minus", "avoid", "skip", "hate", "dislike", "dont", "neither",
        "nor", "kein", "keine", "keinen", "ohne", "ausser", "sans", "sauf", "pas", "sin", "excepto", "senza", "tranne",
        "sem", "exceto", "bez", "без", "кроме",
    ]

    /// Words that end a negation: `not too loud jazz` asks for jazz.
    private static let ends: Set<String> = [
        "and", "as", "but", "for", "from", "i", "in", "instead", "just", "only", "please", "so", "some", "something",
        "that", "then", "this", "too", "und", "very", "with", "y", "et", "nur", "bitte",
    ]

    private static let alternatives: Set<String> = ["or", "oder", "ou", "o", "или"]

    /// Words between a negation and what it is about.
    private static let fillers: Set<String> = [
        "a", "any", "anything", "artist", "by", "do", "hear", "like", "listen", "more", "much", "music", "of",
        "play", "song", "songs", "the", "to", "track", "tracks", "want", "von", "de",
    ]
}
