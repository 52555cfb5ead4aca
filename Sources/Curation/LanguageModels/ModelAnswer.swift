import Model

/// What a model names, as far as it can be read. Whether it is true is another question.
package struct ModelAnswer: Codable, Sendable, Hashable {
    /// A candidate.
    struct Numbered: Codable, Sendable, Hashable {
        var number: Int
        var why: [SongEvidence.Kind]
        /// The song that had the number when the model was asked; `nil` for a number that none had.
        var reference: String?
    }

    /// A song by its names.
    struct Named: Codable, Sendable, Hashable {
        var title: String
        var artist: String
        var why: [SongEvidence.Kind]
    }

    var songs: [Numbered] = []
    var discoveries: [Named] = []
    /// Instead of songs, for long lists.
    var plan: CurationPlan?

    /// The most songs that are looked at, whatever a model writes.
    private static let mostSongs = 300
    private static let longestText = 300

    /// Reads an answer as if no schema had been asked for (``ModelValue``): the last object with one of the lists,
    /// whatever stands around it; without one, the last list that is one of songs. An empty answer counts only when
    /// there is no other. An item that cannot be read is left out.
    ///
    /// - Returns: `nil` for a text without such a value.
    package init?(_ text: String) {
        let values = ModelValue.all(in: text)
        var empty: ModelAnswer?
        for value in values.reversed() {
            guard let answer = Self.answer(in: value) else { continue }
            if !answer.songs.isEmpty || !answer.discoveries.isEmpty {
                self = answer
                return
            }
            empty = empty ?? answer
        }
        let isAlone = Self.isList(text)
        let list = values.last { Self.isBareList($0, isAlone: isAlone) }
        guard let answer = list.map({ Self(bare: $0.items ?? []) }) ?? empty else { return nil }
        self = answer
    }

    /// The answer that a value is, or has somewhere within it.
    private static func answer(in value: ModelValue) -> ModelAnswer? {
        switch value {
        case .object(let members):
            let (numbers, names) = (members["songs"]?.items, members["discoveries"]?.items)
            if numbers != nil || names != nil {
                return ModelAnswer(songs: numbers ?? [], names: names ?? [])
            }
            return lastAnswer(in: members.sorted { $0.key < $1.key }.map(\.value))
        case .list(let items): return lastAnswer(in: items)
        default: return nil
        }
    }

    private static func lastAnswer(in values: [ModelValue]) -> ModelAnswer? {
        for value in values.reversed() {
            if let answer = answer(in: value) { return answer }
        }
        return nil
    }

    /// Whether a text is one list, perhaps in a code fence.
    private static func isList(_ text: String) -> Bool {
        var text = text.drop { $0.isWhitespace || $0 == "`" }
        if text.hasPrefix("json") { text = text.dropFirst(4).drop(while: \.isWhitespace) }
        return text.first == "[" && text.last { !$0.isWhitespace && $0 != "`" } == "]"
    }

    /// Whether a list is one of songs without the object around it. A number or two in brackets may be anything in a
    /// text (`[1]`), so they count only when the text is nothing else.
    private static func isBareList(_ value: ModelValue, isAlone: Bool) -> Bool {
        guard let items = value.items else { return false }
        let answer = ModelAnswer(bare: items)
        let readable = answer.songs.count + answer.discoveries.count
        guard readable > 0, readable * 2 >= min(items.count, mostSongs) else { return false }
        return isAlone || readable >= 3 || items.contains { $0.members != nil }
    }

    /// - Parameter items: numbers and names, mixed. What has a number is told by it.
    private init(bare items: [ModelValue]) {
        self.init(songs: items, names: items.filter { $0.members?["number"]?.whole == nil })
    }

    private init(songs numbers: [ModelValue], names: [ModelValue]) {
        for item in numbers.prefix(Self.mostSongs) {
            guard let number = item.whole ?? item.members?["number"]?.whole else { continue }
            songs.append(Numbered(number: number, why: Self.kinds(in: item)))
        }
        for item in names.prefix(Self.mostSongs) {
            guard let title = Self.text(item.members?["title"]), let artist = Self.text(item.members?["artist"]) else {
                continue
            }
            discoveries.append(Named(title: title, artist: artist, why: Self.kinds(in: item)))
        }
    }

    /// Notes which songs the numbers meant, since the candidates of a later run may be others.
    ///
    /// - Parameter candidates: those of the question, in its order.
    func bound(to candidates: some Collection<CandidateSong>) -> ModelAnswer {
        let references = candidates.map(\.reference)
        var answer = self
        for index in answer.songs.indices {
            // An answer of an earlier release may have any number, so it is compared before it is calculated with.
            let number = answer.songs[index].number
            let isListed = number >= 1 && number <= references.count
            answer.songs[index].reference = isListed ? references[number - 1] : nil
        }
        return answer
    }

    /// Reads an answer to a question for a plan, likewise.
    init?(planIn text: String, genres: [String], artists: [String]) {
        let plan = ModelValue.last(in: text) { value in
            value.members.flatMap { CurationPlan($0, genres: genres, artists: artists) }
        }
        guard let plan else { return nil }
        self.plan = plan
    }

    private static func text(_ value: ModelValue?) -> String? {
        guard let text = value?.text else { return nil }
        let cleaned = PromptText.cleaned(text, limit: longestText)
        return cleaned.isEmpty ? nil : cleaned
    }

    private static let kindsByName = Dictionary(
        SongEvidence.Kind.offered.map { ($0.rawValue.lowercased(), $0) }
    ) { first, _ in first }

    private static func kinds(in item: ModelValue) -> [SongEvidence.Kind] {
        let why = item.members?["why"]
        return (why?.items ?? why.map { [$0] } ?? []).prefix(8).compactMap { value in
            value.text.flatMap { kindsByName[$0.lowercased()] }
        }
    }
}
