/// Versions that are named by two words, each of which means little on its own, or something else.
extension KeywordTable {
    private static let phrasesOfTerms: [(term: TitleTerm, phrases: [String])] = [
        (
            .kind(.instrumental),
            ["off vocal", "off vocals", "without vocals", "without vocal", "no vocals", "minus one"]
        ),
        (.kind(.aCappella), ["a capella", "a capellas", "vocals only", "vocal only"]),
        (.clean, ["non explicit", "not explicit", "explicit removed"]),
        (.explicit, ["parental advisory", "non censored", "not censored", "non edited"]),
    ]
    private static let phrasesOfVersions: [(name: String, phrases: [String])] = [
        ("rerecorded", ["re recorded", "re recording", "re recordings"]), ("lo-fi", ["lo fi"]), ("8-bit", ["8 bit"]),
        ("reimagined", ["re imagined", "re worked"]), ("drumless", ["no drums", "without drums", "minus drums"]),
        ("music box", ["music box"]),
    ]

    /// The phrases by the hashes of their first and second words.
    private static let phrases: [UInt64: [UInt64: TitleTerm]] = {
        var found: [UInt64: [UInt64: TitleTerm]] = [:]
        func add(_ phrase: String, _ term: TitleTerm) {
            let words = phrase.split(separator: " ").map { StableHash.of(String($0)) }
            found[words[0], default: [:]][words[1]] = term
        }
        for (term, phrases) in phrasesOfTerms { for phrase in phrases { add(phrase, term) } }
        for (name, phrases) in phrasesOfVersions {
            guard let place = otherVersions.firstIndex(where: { $0.name == name }) else { continue }
            for phrase in phrases { add(phrase, .other(UInt8(place))) }
        }
        return found
    }()

    /// The words, with each phrase replaced by a single word.
    static func joiningPhrases(_ words: [Word]) -> [Word] {
        guard words.contains(where: { phrases[$0.hash] != nil }) else { return words }
        var joined: [Word] = []
        for word in words {
            if let last = joined.last, let term = phrases[last.hash]?[word.hash] {
                joined[joined.count - 1] = Word(
                    start: last.start, end: word.end, hash: StableHash.of(last.hash, word.hash),
                    keyword: Keyword(term: term))
            } else {
                joined.append(word)
            }
        }
        return joined
    }

    /// Whether a part of a title is only the mark that services write for explicit lyrics: `[E]`.
    static func isExplicitMark(_ words: [Word]) -> Bool { words.count == 1 && words[0].hash == explicitMark }

    private static let explicitMark = StableHash.of("e")
}
