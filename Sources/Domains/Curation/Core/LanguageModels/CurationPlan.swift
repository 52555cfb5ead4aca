import Model

/// A query that a model fills in and that is run on the library. Long lists are made this way, since naming each song
/// would take too long.
package struct CurationPlan: Codable, Sendable, Hashable {
    /// The order of a list. The raw values are the words that models use.
    package enum Order: String, Codable, Sendable, CaseIterable {
        case fitting, newest, oldest, mostPlayed, leastPlayed
    }

    private static let everyYear = 1_000...3_000
    private static let mostUnknown = 20

    /// The genres, as the library writes them.
    package var genres: [String] = []
    package var years: ClosedRange<Int>?
    /// The names of artists, as the library's songs have them.
    package var artists: [String] = []
    package var order = Order.fitting
    /// What the model asked for but was not offered, in its words: at most 20 items.
    package var unknown: [String]?

    /// Whether a list is made with a plan: a long one from the library without songs that stay.
    static func isUsed(for request: CurationRequest) -> Bool {
        request.kind == .playlist && request.source == .library && request.size > 40 && request.pinned.isEmpty
    }

    /// Reads a plan from an answer. Whatever was not offered is ignored.
    ///
    /// - Parameters:
    ///   - genres: the genres that were offered.
    ///   - artists: the artists that were offered, numbered from 1.
    /// - Returns: `nil` for an answer without any part of a plan.
    init?(_ members: [String: ModelValue], genres offered: [String], artists names: [String]) {
        let parts = ["genres", "artists", "from", "to", "order"]
        guard parts.contains(where: { members[$0] != nil }) else { return nil }
        let byWords = Dictionary(offered.map { (FoldedText.words(of: $0), $0) }) { first, _ in first }
        var unknown: [String] = []
        for text in Self.items(members["genres"]).prefix(50).compactMap(\.text) {
            guard let known = byWords[FoldedText.words(of: text)] else {
                if let said = Self.quoted(text) { unknown.append("genre \(said)") }
                continue
            }
            if !genres.contains(known) { genres.append(known) }
        }
        let byName = Dictionary(names.map { (FoldedText.words(of: $0), $0) }) { first, _ in first }
        for item in Self.items(members["artists"]).prefix(200) {
            // A text of digits may be the name of an artist, such as 311.
            if let known = item.text.flatMap({ byName[FoldedText.words(of: $0)] }) {
                artists.append(known)
            } else if let number = ModelSong.numbered(item)?.number {
                if number >= 1, number <= names.count {
                    artists.append(names[number - 1])
                } else {
                    unknown.append("artist \(number)")
                }
            } else if let name = item.text ?? item.members?["name"]?.text ?? item.members?["artist"]?.text {
                // Some models give the names of artists instead of their numbers.
                if let known = byName[FoldedText.words(of: name)] {
                    artists.append(known)
                } else if let said = Self.quoted(name) {
                    unknown.append("artist \(said)")
                }
            }
        }
        if !unknown.isEmpty { self.unknown = Array(unknown.prefix(Self.mostUnknown)) }
        let (from, to) = (members["from"]?.whole, members["to"]?.whole)
        if from != nil || to != nil {
            let bounds = [from ?? Self.everyYear.lowerBound, to ?? Self.everyYear.upperBound]
                .map { min(max($0, Self.everyYear.lowerBound), Self.everyYear.upperBound) }.sorted()
            years = bounds[0]...bounds[1]
        }
        order =
            members["order"]?.text.flatMap { text in
                Order.allCases.first { $0.rawValue.lowercased() == text.lowercased() }
            } ?? .fitting
    }

    /// Text that a model has written, for people; `nil` for a text without visible characters, which asks for nothing.
    private static func quoted(_ text: String) -> String? {
        let cleaned = PromptText.cleaned(text, limit: PromptText.longestName)
        return cleaned.isEmpty ? nil : "“\(cleaned)”"
    }

    /// The items of what should be a list; a single item may come without a list.
    private static func items(_ value: ModelValue?) -> [ModelValue] {
        value?.items ?? [value].compactMap { $0?.text != nil || $0?.whole != nil ? $0 : nil }
    }

    /// Whether the model has asked for a song. A plan without any condition asks for all songs, unless it had
    /// conditions, none of which was offered.
    func asks(for song: CandidateSong) -> Bool {
        guard !genres.isEmpty || !artists.isEmpty || years != nil else { return unknown == nil }
        return song.genres.contains(where: genres.contains) || artists.contains(song.artist)
            || song.year.map { years?.contains($0) ?? false } ?? false
    }

    /// Sorts songs in the order of the plan.
    func arranged(_ choices: [ListRules.Choice]) -> [ListRules.Choice] {
        func sorted(_ key: (CandidateSong) -> Int) -> [ListRules.Choice] {
            choices.enumerated().sorted { (key($0.element.song), $0.offset) < (key($1.element.song), $1.offset) }
                .map(\.element)
        }
        return switch order {
        case .fitting: choices
        case .newest: sorted { -($0.year ?? 0) }
        case .oldest: sorted { $0.year ?? 9_999 }
        case .mostPlayed: sorted { -$0.plays }
        case .leastPlayed: sorted { $0.plays }
        }
    }
}
