import Identity
import Model

/// The artists to whom a prompt limits the list: `only songs by Zoë Käfer`, `nur Zoë Käfer`, `just Zoë Käfer and Ann
/// Lee`.
///
/// Names of known artists count, and names that are written as such after a word such as `by`, whether known or not
/// (``WrittenNames``): `only songs by Nobody Known`. Whatever else may be a name is ambiguous: `only jazz` and `only songs
/// by women` limit the list to nobody. What the prompt says this explicitly outranks the rule that an artist has at most
/// half of a list.
struct OnlyArtists: Sendable, Hashable {
    /// The names in their known form; empty if the prompt does not limit the list.
    let names: [String]
    /// Whether none of ``names`` is the name of a known artist.
    let areUnknown: Bool
    /// What may be the name of an artist who is not known, and does not limit the list; `nil` if it does limit it.
    let ambiguous: String?
    /// Their folded names, as main artists of songs.
    private let artists: Set<String>

    /// - Parameter known: the names of artists, as songs have them.
    init(_ prompt: String, among known: some Sequence<String>) {
        let parts = OnlyWords.clauses(of: prompt)
        let known = Set(known)
        let named = Self.names(in: parts, among: known)
        // A name that is written in part, such as a last name, means the artists whose names end with it.
        let written = named.isEmpty ? Self.names(in: parts, among: Set(parts.flatMap(WrittenNames.afterBy))) : []
        let meant = written.map { name in (name, Self.artists(endingWith: name, among: known)) }
        names = named + meant.flatMap { name, artists in artists.isEmpty ? [name] : artists }
        areUnknown = !meant.isEmpty && meant.allSatisfy { $0.1.isEmpty }
        ambiguous =
            names.isEmpty ? Self.names(in: parts, among: Set(parts.flatMap(WrittenNames.possible))).first : nil
        artists = Set(names.flatMap(Self.mainArtists))
    }

    private static func artists(endingWith name: String, among known: Set<String>) -> [String] {
        let words = FoldedText.words(of: name)
        return known.filter { FoldedText.words(of: $0).suffix(words.count).elementsEqual(words) }.sorted()
    }

    private static func names(in parts: [Substring], among known: Set<String>) -> [String] {
        let clauses = parts.map(OnlyWords.words)
        let asking = clauses.filter { mayAsk($0) && !isWidened($0) }
        let joined = clauses.filter(OnlyAffixes.mayAsk)
        guard !known.isEmpty, !asking.isEmpty || !joined.isEmpty else { return [] }
        // The names by their first words. A name of one letter is too ambiguous.
        var byWord: [String: [(words: [String], name: String)]] = [:]
        for name in known.sorted() {
            let words = FoldedText.words(of: name)
            guard let first = words.first, words.joined().unicodeScalars.count > 1 else { continue }
            byWord[first, default: []].append((words, name))
        }
        // If two names begin the same way, the longer one is meant.
        let lookup = byWord.mapValues { $0.sorted { ($1.words.count, $0.name) < ($0.words.count, $1.name) } }
        var found = asking.flatMap { names(in: $0, lookup) }
        if !joined.isEmpty {
            let words = OnlyAffixes(known)
            found += joined.flatMap { words.names(in: $0) }
        }
        return found
    }

    var isEmpty: Bool { names.isEmpty }

    /// Whether a song is by one of them; always true if the prompt does not limit the list.
    func allow(_ profile: IdentityProfile) -> Bool {
        artists.isEmpty || profile.mainArtists.contains(where: artists.contains)
    }

    private static func mainArtists(of name: String) -> [String] {
        IdentityProfile(IdentityRecord(title: name, artist: name)).mainArtists
    }

    private typealias Lookup = [String: [(words: [String], name: String)]]

    private static func mayAsk(_ words: [String]) -> Bool {
        words.indices.contains { position in
            meansOnly(position, in: words) || OnlyWords.except.contains(words[position])
                || OnlyWords.every.contains(words[position])
        } || !exclusivePositions(in: words).isEmpty
    }

    private static func meansOnly(_ position: Int, in words: [String]) -> Bool {
        // "Tik tok" is a name.
        if words[position] == "tik", words[(position + 1)...].first == "tok" { return false }
        guard words[position] == "so" else { return OnlyWords.only.contains(words[position]) }
        let next = words[(position + 1)...].first { !OnlyWords.portugueseArticles.contains($0) }
        return next.map(OnlyWords.afterSo.contains) ?? false
    }

    private static func isWidened(_ words: [String]) -> Bool {
        words.indices.contains { position in
            guard OnlyWords.widening.contains(words[position]) else { return false }
            // "I would like only …"
            return words[position] != "like"
                || !words[..<position].suffix(2).contains(where: OnlyWords.wouldLike.contains)
        }
    }

    private static func names(in words: [String], _ lookup: Lookup) -> [String] {
        var found: [String] = []
        for position in words.indices {
            if OnlyWords.except.contains(words[position]), followsNothing(position, in: words) {
                found += names(after: position + 1, in: words, lookup)
            } else if meansOnly(position, in: words), !isTakenBack(position, in: words) {
                found += names(after: position + 1, in: words, lookup)
                // "Zoë Käfer only", "Zoë Käfer and Ann Lee songs only".
                guard words[(position + 1)...].allSatisfy(OnlyWords.songs.contains) else { continue }
                found += names(before: position, in: words, lookup).filter { !found.contains($0) }
            } else if OnlyWords.every.contains(words[position]) {
                found += names(ofAll: position, in: words, lookup)
            }
        }
        for position in exclusivePositions(in: words) {
            found += names(before: position, in: words, lookup).filter { !found.contains($0) }
        }
        return found
    }

    /// Whether a word that means "only" is part of `not only` or `I only heard`.
    private static func isTakenBack(_ position: Int, in words: [String]) -> Bool {
        guard position > 0, OnlyWords.taking.contains(words[position - 1]) else { return false }
        let isWish =
            words[position] == "only" && position + 1 < words.count && OnlyWords.wishing.contains(words[position + 1])
        return !(isWish && ["i", "we"].contains(words[position - 1]))
    }

    /// Whether a word such as `but` follows a word such as `nothing`: `no artist other than`.
    private static func followsNothing(_ position: Int, in words: [String]) -> Bool {
        for word in words[..<position].suffix(OnlyWords.mostBetween).reversed() {
            if OnlyWords.nothing.contains(word) { return true }
            guard OnlyWords.songs.contains(word) || OnlyWords.betweenNothing.contains(word) else { return false }
        }
        return false
    }

    /// The names after a word such as `every`: `all songs should be by Zoë Käfer`, but not `all songs by Zoë Käfer and
    /// some jazz`.
    private static func names(ofAll start: Int, in words: [String], _ lookup: Lookup) -> [String] {
        guard !words[..<start].contains(where: OnlyWords.having.contains) else { return [] }
        var isBy = false
        for position in words.indices[start...].dropFirst().prefix(2 * OnlyWords.mostBetween) {
            let word = words[position]
            if let match = match(at: position, in: words, lookup) {
                let isDirect = words[start] == "all" && position == start + 1
                guard isBy || isDirect && isMeant(match, until: position + match.words.count, in: words) else {
                    return []
                }
                let run = run(from: position, in: words, lookup)
                let goesOn = run.end < words.count && OnlyWords.goingOn.contains(words[run.end])
                return goesOn ? [] : run.names
            }
            if OnlyWords.by.contains(word) {
                isBy = true
            } else if OnlyWords.songs.contains(word) {
                // "By the band Beat".
                isBy = isBy && OnlyWords.beforeNames.contains(word)
            } else if OnlyWords.betweenAll.contains(word) {
                isBy = false
            } else {
                return []
            }
        }
        return []
    }

    private static func exclusivePositions(in words: [String]) -> [Int] {
        words.indices.filter { position in
            OnlyWords.nobodyElse.contains { phrase in
                // Only at the end of a clause: "Nothing Else Matters" is a song.
                words[position...].starts(with: phrase)
                    && words[position...].dropFirst(phrase.count).allSatisfy(OnlyWords.songs.contains)
            }
        }
    }

    /// The names that end before an index and are joined to each other, in the order of the prompt.
    private static func names(before end: Int, in words: [String], _ lookup: Lookup) -> [String] {
        var found: [String] = []
        var end = end
        while true {
            while end > 0,
                OnlyWords.songs.contains(words[end - 1]) || OnlyWords.joining.contains(words[end - 1])
                    || OnlyWords.postpositions.contains(words[end - 1]),
                match(endingAt: end, in: words, lookup) == nil
            { end -= 1 }
            guard let match = match(endingAt: end, in: words, lookup) else { return found.reversed() }
            found.append(match.name)
            end -= match.words.count
        }
    }

    /// The names after a word that means "only".
    private static func names(after start: Int, in words: [String], _ lookup: Lookup) -> [String] {
        var position = start
        while position < words.count,
            OnlyWords.songs.contains(words[position]) || OnlyWords.hearing.contains(words[position]),
            match(at: position, in: words, lookup) == nil
        { position += 1 }
        if let first = match(at: position, in: words, lookup),
            isMeant(first, until: position + first.words.count, in: words)
        {
            return names(from: position, in: words, lookup)
        }
        for by in words.indices[start...].prefix(OnlyWords.mostBetween) {
            // "Only three songs by" says how many, and nothing about the others.
            guard OnlyWords.by.contains(words[by]) else {
                if OnlyWords.counts.contains(words[by]) || Int(decimal: words[by], in: 0...999) != nil { return [] }
                continue
            }
            var position = by + 1
            while position < words.count, OnlyWords.songs.contains(words[position]),
                match(at: position, in: words, lookup) == nil
            {
                position += 1
            }
            let names = names(from: position, in: words, lookup)
            if !names.isEmpty { return names }
        }
        return []
    }

    /// Whether a name without `by` before it really is one: `only love songs` is not about an artist named Love.
    private static func isMeant(_ match: (words: [String], name: String), until end: Int, in words: [String]) -> Bool {
        guard match.words.count == 1, end < words.count, OnlyWords.songs.contains(words[end]) else { return true }
        return !OnlyWords.versions.contains(match.words[0]) && PromptAnalysis(match.words[0]).genreWords.count <= 1
    }

    private static func names(from start: Int, in words: [String], _ lookup: Lookup) -> [String] {
        let run = run(from: start, in: words, lookup)
        let next = words[run.end...].first {
            !OnlyWords.postpositions.contains($0) && !OnlyWords.songs.contains($0) && !OnlyWords.only.contains($0)
        }
        return next.map(OnlyWords.takingAfterNames.contains) ?? false ? [] : run.names
    }

    /// A name and those that are joined to it, and where they end.
    private static func run(from start: Int, in words: [String], _ lookup: Lookup) -> (names: [String], end: Int) {
        var found: [String] = []
        var (position, end) = (start, start)
        while let match = match(at: position, in: words, lookup) {
            found.append(match.name)
            position += match.words.count
            end = position
            while position < words.count, OnlyWords.joining.contains(words[position]),
                self.match(at: position, in: words, lookup) == nil
            {
                position += 1
            }
        }
        return (found, end)
    }

    private static func match(at position: Int, in words: [String], _ lookup: Lookup) -> (
        words: [String], name: String
    )? {
        guard position < words.count else { return nil }
        // "Zoë Käfer's songs": folding removes the apostrophe.
        let starts = [words[position]] + (words[position].hasSuffix("s") ? [String(words[position].dropLast())] : [])
        return starts.lazy.compactMap { lookup[$0]?.first { isWritten($0.words, at: position, in: words) } }.first
    }

    private static func isWritten(_ name: [String], at position: Int, in words: [String]) -> Bool {
        let written = words[position...].prefix(name.count)
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
