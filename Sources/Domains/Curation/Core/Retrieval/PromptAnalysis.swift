import Foundation
import Model

/// What can be understood of a prompt without a model: years, genres, artists, and whether songs were heard.
package struct PromptAnalysis: Sendable, Hashable {
    /// The folded words of the prompt.
    package var words: [String]
    package var years: [ClosedRange<Int>] = []
    /// The folded words of genres, including those that moods stand for.
    package var genreWords: Set<String> = []
    /// Songs that were heard within this number of days are not wanted.
    package var heardWithinDays: Int?
    /// Whether only songs without a known play are wanted.
    package var wantsUnplayed = false
    private let negation: PromptNegation

    package init(_ prompt: String) {
        words = FoldedText.words(of: prompt)
        negation = PromptNegation(prompt)
        let wanted = wantedWords
        years = Self.years(in: wanted)
        genreWords = Set(wanted.filter { $0.count > 2 }).subtracting(Self.fillers)
        for word in wanted { genreWords.formUnion(Self.genres(ofMood: word)) }
        readHearing()
    }

    /// Whether the prompt asks for something with this name: it contains the folded words of the name in sequence.
    package func names(_ name: String) -> Bool {
        lastPosition(of: name).map { !negation.positions.contains($0) } ?? false
    }

    /// Whether the prompt says that something with this name is not wanted. Its last statement counts.
    package func rejects(_ name: String) -> Bool {
        !negation.positions.isEmpty && lastPosition(of: name).map(negation.positions.contains) ?? false
    }

    /// Whether the prompt says that a genre, or a wider one, is not wanted: `no metal` also excludes heavy metal, but
    /// `no heavy metal` does not exclude all metal. Its last statement counts.
    func rejects(genre: String) -> Bool {
        guard !negation.phrases.isEmpty else { return false }
        let parts = FoldedText.words(of: genre)
        return negation.phrases.contains { phrase in
            phrase.allSatisfy { parts.contains(words[$0]) }
                && !words.indices.contains { position in
                    position > phrase[0] && !negation.positions.contains(position)
                        && words[position] == words[phrase[0]]
                }
        }
    }

    /// The folded words of what is wanted.
    var wanted: String { wantedWords.joined(separator: " ") }

    private var wantedWords: [String] { words.indices.filter { !negation.positions.contains($0) }.map { words[$0] } }

    /// Possible names of artists that are not wanted: the words after a negation, and each beginning of them.
    var unwantedNames: [String] {
        negation.phrases.flatMap { phrase in
            phrase.indices.map { end in phrase[...end].map { words[$0] }.joined(separator: " ") }
        }.filter { rejects($0) }
    }

    private func lastPosition(of name: String) -> Int? {
        let wanted = FoldedText.words(of: name)
        guard !wanted.isEmpty, wanted.count <= words.count, wanted.contains(where: { $0.unicodeScalars.count > 2 })
        else { return nil }
        return words.indices.dropLast(wanted.count - 1).last { Array(words[$0..<$0 + wanted.count]) == wanted }
    }

    /// All sequences of one to four words, which may be names.
    package var phrases: [String] {
        (1...4).flatMap { length in
            words.indices.dropLast(length - 1).map { words[$0..<$0 + length].joined(separator: " ") }
        }
    }

    /// The share of a genre's words that the prompt has, from 0 to 1.
    func agreement(withGenre genre: String) -> Double {
        let parts = FoldedText.words(of: genre).filter { !Self.fillers.contains($0) }
        guard !parts.isEmpty else { return 0 }
        return Double(parts.filter { genreWords.contains($0) }.count) / Double(parts.count)
    }

    // MARK: Years

    /// Reads `1997`, `1990s`, `90s`, `90er`, `90年代`, `90-х`, and two years joined by a word such as "to" as a range.
    private static func years(in words: [String]) -> [ClosedRange<Int>] {
        var found: [ClosedRange<Int>] = []
        for word in words {
            let digits = word.prefix { $0.isASCII && $0.isNumber }
            guard let number = Int(decimal: digits, in: 0...9_999) else { continue }
            let suffix = word.dropFirst(digits.count)
            let isDecade = ["s", "er", "年代", "х", "x", "ies"].contains(String(suffix))
            if digits.count == 4, (1900...2100).contains(number) {
                if suffix.isEmpty { found.append(number...number) }
                if isDecade { found.append(number - number % 10...number - number % 10 + 9) }
            } else if digits.count == 2, isDecade {
                let decade = number - number % 10 + (number < 30 ? 2_000 : 1_900)
                found.append(decade...decade + 9)
            }
        }
        for (word, decade) in decades where words.contains(word) { found.append(decade...decade + 9) }
        // "from 1995 to 1998".
        if found.count == 2, found.allSatisfy({ $0.count == 1 }), words.contains("to") || words.contains("until") {
            let bounds = found.map(\.lowerBound).sorted()
            return [bounds[0]...bounds[1]]
        }
        return found
    }

    private static let decades = [
        ("fifties", 1950), ("sixties", 1960), ("seventies", 1970), ("eighties", 1980), ("nineties", 1990),
    ]

    // MARK: Hearing

    private mutating func readHearing() {
        let text = " " + words.joined(separator: " ") + " "
        let isNegated = ["nothing i", "not heard", "havent heard", "haven t heard", "have not heard", "didnt hear"]
            .contains { text.contains(" \($0)") }
        if isNegated, text.contains(" hear") || text.contains(" play") || text.contains(" listen") {
            let spans = [("today", 1), ("week", 7), ("month", 30), ("year", 365), ("lately", 30), ("recently", 30)]
            heardWithinDays = spans.first { text.contains(" \($0.0) ") }?.1 ?? 30
        }
        wantsUnplayed = ["never played", "never heard", "unplayed", "unheard", "forgotten"]
            .contains { text.contains(" \($0) ") }
    }

    // MARK: Genres

    private static let fillers: Set<String> = [
        "and", "the", "music", "songs", "song", "for", "with", "from", "some", "playlist", "that", "this", "nothing",
        "heard", "month", "week", "year", "but", "not", "new", "more", "less", "like", "something",
    ]

    /// The words of genres that suit a mood or an occasion.
    private static func genres(ofMood word: String) -> Set<String> {
        switch word {
        case "rainy", "rain", "sad", "melancholy", "melancholic", "autumn", "cozy", "cosy", "sunday":
            ["acoustic", "folk", "singer", "songwriter", "jazz", "soul", "blues", "classical"]
        case "calm", "chill", "relax", "relaxing", "sleep", "quiet", "focus", "study", "concentration":
            ["ambient", "acoustic", "classical", "downtempo", "jazz", "instrumental", "age"]
        case "party", "dance", "dancing", "club", "summer": ["dance", "disco", "electronic", "funk", "house", "pop"]
        case "workout", "gym", "run", "running", "training", "energy", "energetic":
            ["dance", "electronic", "hip", "hop", "metal", "rap", "rock"]
        case "romantic", "love", "dinner", "date": ["ballad", "jazz", "soul", "r&b"]
        default: []
        }
    }
}
