import Model

/// A query that a model fills, and that is run on the library: the way to long lists, for which naming each song would
/// take too long.
package struct CurationPlan: Codable, Sendable, Hashable {
    /// The order of a list. The raw values are what models name.
    package enum Order: String, Codable, Sendable, CaseIterable {
        case fitting, newest, oldest, mostPlayed, leastPlayed
    }

    private static let everyYear = 1_000...3_000
    private static let mostUnknown = 20

    /// As the library writes them.
    package var genres: [String] = []
    package var years: ClosedRange<Int>?
    /// Names, as the library's songs have them.
    package var artists: [String] = []
    package var order = Order.fitting
    /// What the model asked for and was not offered, in its words: 20 at most.
    package var unknown: [String]?

    /// The lists that are made with a plan: long ones from the library, which keep no songs.
    static func isUsed(for request: CurationRequest) -> Bool {
        request.kind == .playlist && request.source == .library && request.size > 40 && request.pinned.isEmpty
    }

    /// Reads a plan from an answer. What was not offered is left out.
    ///
    /// - Parameters:
    ///   - genres: those that were offered.
    ///   - artists: those that were offered, by their numbers from 1 on.
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
                // Some models name artists in place of their numbers.
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

    /// What a model has named, for people; `nil` for a text that shows nothing, by which it asks for nothing.
    private static func quoted(_ text: String) -> String? {
        let cleaned = PromptText.cleaned(text, limit: PromptText.longestName)
        return cleaned.isEmpty ? nil : "“\(cleaned)”"
    }

    /// The items of what should be a list; one alone may stand without it.
    private static func items(_ value: ModelValue?) -> [ModelValue] {
        value?.items ?? [value].compactMap { $0?.text != nil || $0?.whole != nil ? $0 : nil }
    }

    /// Whether the model has asked for a song. A plan without any condition asks for all, unless its conditions were
    /// none that were offered.
    func asks(for song: CandidateSong) -> Bool {
        guard !genres.isEmpty || !artists.isEmpty || years != nil else { return unknown == nil }
        return song.genres.contains(where: genres.contains) || artists.contains(song.artist)
            || song.year.map { years?.contains($0) ?? false } ?? false
    }

    /// Puts songs into the order of the plan.
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
