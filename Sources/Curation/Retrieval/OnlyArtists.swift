import Identity
import Model

/// The artists whom a prompt asks for alone: `only songs by Zoë Käfer`, `nur Zoë Käfer`, `just Zoë Käfer and Ann Lee`.
///
/// Only names of artists that are known count, so that `only jazz` and `only songs by women` ask for nobody alone. What
/// the prompt says so explicitly outranks the rule that an artist has half of a list at most.
struct OnlyArtists: Sendable, Hashable {
    /// As they are known; empty when nobody is asked for alone.
    let names: [String]
    /// The folded main artists of songs by them.
    private let artists: Set<String>

    /// - Parameter known: names of artists, as songs have them.
    init(_ prompt: String, among known: some Sequence<String>) {
        let clauses = prompt.split { ".;!?\n。！？".contains($0) }.map { FoldedText.words(of: String($0)) }
        let asking = clauses.filter { words in
            (words.contains { Self.only[$0] != nil } || !Self.placesOfNobodyElse(in: words).isEmpty)
                && !words.contains(where: Self.widening.contains)
        }
        guard !asking.isEmpty else {
            (names, artists) = ([], [])
            return
        }
        // By their first words; a name of one letter says too little.
        var byWord: [String: [(words: [String], name: String)]] = [:]
        for name in Set(known).sorted() {
            let words = FoldedText.words(of: name)
            guard let first = words.first, words.joined().unicodeScalars.count > 1 else { continue }
            byWord[first, default: []].append((words, name))
        }
        // Of two names that begin alike, the longer one is meant.
        let lookup = byWord.mapValues { $0.sorted { ($1.words.count, $0.name) < ($0.words.count, $1.name) } }
        names = asking.flatMap { Self.names(in: $0, lookup) }
        artists = Set(names.flatMap(Self.mainArtists))
    }

    var isEmpty: Bool { names.isEmpty }

    /// Whether a song is by one of them; every song is when nobody is asked for alone.
    func allow(_ profile: IdentityProfile) -> Bool {
        artists.isEmpty || profile.mainArtists.contains(where: artists.contains)
    }

    private static func mainArtists(of name: String) -> [String] {
        IdentityProfile(IdentityRecord(title: name, artist: name)).mainArtists
    }

    // MARK: Words

    /// Words that mean only, with those before them without which they do not: `nothing but`. In the languages of most
    /// prompts.
    private static let only: [String: Set<String>] = [
        "only": [], "just": [], "exclusively": [], "solely": [], "purely": [], "but": ["nothing", "nobody", "noone"],
        "nur": [], "ausschliesslich": [], "bloss": [], "als": ["nichts"],
        "seulement": [], "uniquement": [], "exclusivement": [], "que": ["rien"],
        "solo": [], "solamente": [], "unicamente": [], "exclusivamente": [], "soltanto": [], "esclusivamente": [],
        "apenas": [], "somente": [], "alleen": [], "uitsluitend": [], "enkel": [], "tylko": [], "wylacznie": [],
        "jen": [], "jenom": [], "pouze": [], "vyhradne": [], "только": [], "исключительно": [],
    ]
    /// Words before one that means only which take that back: `not only`, `I just heard`.
    private static let taking: Set<String> = [
        "not", "nicht", "no", "non", "pas", "niet", "nie", "ne", "nao", "не", "i", "we", "ive", "weve", "have",
    ]
    /// Words after "I only" with which it is a wish all the same: `I only want to hear`.
    private static let wishing: Set<String> = ["want", "wanna", "need"]
    /// Words between a wish and a name.
    private static let hearing: Set<String> = ["want", "wanna", "need", "to", "hear", "listen"]
    /// What says behind names that they are meant alone: `Zoë Käfer and nobody else`.
    private static let nobodyElse: [[String]] = [
        ["nobody", "else"], ["noone", "else"], ["no", "one", "else"], ["nothing", "else"], ["no", "other", "artist"],
        ["no", "other", "artists"], ["niemand", "anderes"], ["niemand", "anders"], ["sonst", "niemand"],
        ["nichts", "anderes"], ["sonst", "nichts"], ["personne", "dautre"], ["rien", "dautre"], ["nadie", "mas"],
        ["nada", "mas"], ["nessun", "altro"], ["nientaltro"], ["ninguem", "mais"], ["nada", "mais"],
        ["niets", "anders"], ["nikt", "inny"], ["nic", "innego"], ["nikdo", "jiny"], ["nic", "jineho"],
        ["никто", "другой"], ["никого", "другого"], ["ничего", "другого"],
    ]
    /// Words by which others count as well.
    private static let widening: Set<String> = [
        "like", "similar", "alike", "inspired", "others", "style", "wie", "ahnliche", "ahnlich", "comme", "similaire",
        "similaires", "como", "similares", "parecidos", "come", "simili", "zoals", "vergelijkbare", "jak", "podobne",
        "jako", "podobni", "вроде", "похожие",
    ]
    /// Words between one that means only and a name, or around a name: kinds of songs, and `by`.
    private static let by: Set<String> = [
        "by", "from", "of", "von", "de", "di", "du", "van", "od", "przez", "от", "del", "da",
    ]
    private static let songs: Set<String> = [
        "song", "songs", "track", "tracks", "music", "tunes", "stuff", "the", "a", "some", "play", "please", "artist",
        "band", "lieder", "songs", "musik", "stucke", "titel", "bitte", "chansons", "morceaux", "musique", "titres",
        "canciones", "temas", "musica", "brani", "canzoni", "nummers", "liedjes", "muziek", "utwory", "piosenki",
        "muzyka", "muzyke", "pisnicky", "pisnicek", "skladby", "skladeb", "hudba", "hudbu", "песни", "музыка",
    ]
    private static let joining: Set<String> = [
        "and", "or", "und", "oder", "et", "ou", "y", "e", "o", "en", "of", "i", "a", "и",
    ]
    /// How many words may be between one that means only and the `by` before a name: `only the best live songs by`.
    private static let mostBetween = 6

    private typealias Lookup = [String: [(words: [String], name: String)]]

    private static func names(in words: [String], _ lookup: Lookup) -> [String] {
        var found: [String] = []
        for place in words.indices {
            guard let needed = only[words[place]] else { continue }
            let isWish = words[place] == "only" && place + 1 < words.count && wishing.contains(words[place + 1])
            let before = place > 0 && !(isWish && ["i", "we"].contains(words[place - 1])) ? words[place - 1] : nil
            guard needed.isEmpty ? before.map({ !taking.contains($0) }) ?? true : before.map(needed.contains) ?? false
            else { continue }
            found += names(after: place + 1, in: words, lookup)
            // "Zoë Käfer only", "Zoë Käfer and Ann Lee songs only".
            guard needed.isEmpty, words[(place + 1)...].allSatisfy(songs.contains) else { continue }
            found += names(before: place, in: words, lookup)
        }
        for place in placesOfNobodyElse(in: words) {
            found += names(before: place, in: words, lookup).filter { !found.contains($0) }
        }
        return found
    }

    private static func placesOfNobodyElse(in words: [String]) -> [Int] {
        words.indices.filter { place in
            nobodyElse.contains { phrase in
                // At the end of what is said: "Nothing Else Matters" is a song.
                words[place...].starts(with: phrase)
                    && words[place...].dropFirst(phrase.count).allSatisfy(songs.contains)
            }
        }
    }

    /// The names that end before a place and are joined to each other, in the order of the prompt.
    private static func names(before end: Int, in words: [String], _ lookup: Lookup) -> [String] {
        var found: [String] = []
        var end = end
        while true {
            while end > 0, songs.contains(words[end - 1]) || joining.contains(words[end - 1]),
                match(endingAt: end, in: words, lookup) == nil
            { end -= 1 }
            guard let match = match(endingAt: end, in: words, lookup) else { return found.reversed() }
            found.append(match.name)
            end -= match.words.count
        }
    }

    /// The names that begin behind a word that means only.
    private static func names(after start: Int, in words: [String], _ lookup: Lookup) -> [String] {
        var place = start
        while place < words.count, songs.contains(words[place]) || hearing.contains(words[place]),
            match(at: place, in: words, lookup) == nil
        { place += 1 }
        if let first = match(at: place, in: words, lookup), isMeant(first, until: place + first.words.count, in: words)
        {
            return names(from: place, in: words, lookup)
        }
        for by in words.indices[start...].prefix(mostBetween) where Self.by.contains(words[by]) {
            var place = by + 1
            while place < words.count, songs.contains(words[place]), match(at: place, in: words, lookup) == nil {
                place += 1
            }
            let names = names(from: place, in: words, lookup)
            if !names.isEmpty { return names }
        }
        return []
    }

    /// Whether a name without `by` before it is one: `only love songs` is not about an artist named Love.
    private static func isMeant(_ match: (words: [String], name: String), until end: Int, in words: [String]) -> Bool {
        guard match.words.count == 1, end < words.count, songs.contains(words[end]) else { return true }
        return PromptReading(match.words[0]).genreWords.count <= 1
    }

    /// A name, and those that are joined to it.
    private static func names(from start: Int, in words: [String], _ lookup: Lookup) -> [String] {
        var found: [String] = []
        var place = start
        while let match = match(at: place, in: words, lookup) {
            found.append(match.name)
            place += match.words.count
            while place < words.count, joining.contains(words[place]), self.match(at: place, in: words, lookup) == nil {
                place += 1
            }
        }
        return found
    }

    private static func match(at place: Int, in words: [String], _ lookup: Lookup) -> (words: [String], name: String)? {
        guard place < words.count else { return nil }
        // "Zoë Käfer's songs": folding takes the apostrophe out.
        let starts = [words[place]] + (words[place].hasSuffix("s") ? [String(words[place].dropLast())] : [])
        return starts.lazy.compactMap { lookup[$0]?.first { isWritten($0.words, at: place, in: words) } }.first
    }

    private static func isWritten(_ name: [String], at place: Int, in words: [String]) -> Bool {
        let written = words[place...].prefix(name.count)
        guard written.count == name.count, written.dropLast().elementsEqual(name.dropLast()) else { return false }
        return written.last == name.last || written.last == name.last.map { $0 + "s" }
    }

    private static func match(
        endingAt end: Int, in words: [String], _ lookup: Lookup
    ) -> (words: [String], name: String)? {
        words.indices[..<end].lazy.compactMap { match(at: $0, in: words, lookup) }
            .first { match in words[..<end].suffix(match.words.count).elementsEqual(match.words) }
    }
}
