import Model

/// The two lists of an answer, as a model wrote them.
struct ModelAnswerLists {
    /// Songs by their numbers; `nil` if the answer has no such list.
    private var numbers: [ModelValue]?
    /// Songs by their names; `nil` if the answer has no such list.
    private var names: [ModelValue]?

    /// The most songs that are read, whatever a model writes.
    private static let mostSongs = 300

    /// The answer, as far as the lists can be read.
    var answer: ModelAnswer {
        var answer = ModelAnswer(songs: [], discoveries: [])
        for item in (numbers ?? []).prefix(Self.mostSongs) {
            if var song = ModelSong.numbered(item) {
                // A number under another name may refer to the model's own list.
                if item.members?["number"] == nil { song.name = ModelSong.named(item) }
                answer.songs.append(song)
            } else if let name = ModelSong.named(item) {
                answer.discoveries.append(name)
            }
        }
        answer.discoveries += (names ?? []).prefix(Self.mostSongs).compactMap(ModelSong.named)
        return answer
    }

    private var isEmpty: Bool { (numbers ?? []).isEmpty && (names ?? []).isEmpty }

    // MARK: Lists in an object

    /// The last value with lists, which may be nested in another one. Empty lists count only if there are no others.
    static func last(in values: [ModelValue]) -> ModelAnswerLists? { last(in: values, decodes: true) }

    /// - Parameter decodes: whether a text within a value may itself be JSON. This is tried only once.
    private static func last(in values: [ModelValue], decodes: Bool) -> ModelAnswerLists? {
        var found: ModelAnswerLists?
        var empty: ModelAnswerLists?
        for value in values.reversed() {
            guard let lists = ModelAnswerLists(value, decodes: decodes) else { continue }
            // Each of two objects may have one half of an answer.
            if let found { return found.joined(with: lists) ?? found }
            if lists.isEmpty { empty = empty ?? lists } else { found = lists }
        }
        return found ?? empty
    }

    private init?(_ value: ModelValue, decodes: Bool) {
        let found: ModelAnswerLists?
        switch value {
        case .object(let members):
            (numbers, names) = (Self.items(members["songs"]), Self.items(members["discoveries"]))
            if numbers != nil || names != nil { return }
            found = Self.last(in: members.sorted { $0.key < $1.key }.map(\.value), decodes: decodes)
        case .list(let items): found = Self.last(in: items, decodes: decodes)
        case .text(let text) where decodes && text.contains("{"):
            found = Self.last(in: ModelText(text).values, decodes: false)
        default: found = nil
        }
        guard let found else { return nil }
        self = found
    }

    private func joined(with other: ModelAnswerLists) -> ModelAnswerLists? {
        var joined = self
        if numbers == nil, other.names == nil {
            joined.numbers = other.numbers
        } else if names == nil, other.numbers == nil {
            joined.names = other.names
        } else {
            return nil
        }
        return joined
    }

    /// The items of what should be a list. A list that is encoded in a text, an object with a number as the name of
    /// each value, and a single song are accepted, too.
    private static func items(_ value: ModelValue?) -> [ModelValue]? {
        switch value {
        case .list(let items): return items
        case .text(let text):
            if let items = ModelText(text).values.last?.items { return items }
            let parts = text.split { ", ;\n".contains($0) }.map { ModelValue.text(String($0)) }
            return !parts.isEmpty && parts.allSatisfy { $0.whole != nil } ? parts : nil
        case .number: return value.map { [$0] }
        case .object(let members):
            if value.map(ModelSong.isOne) ?? false { return value.map { [$0] } }
            let byNumber = members.compactMap { name, value in ModelValue.text(name).whole.map { ($0, value) } }
            guard !byNumber.isEmpty, byNumber.count == members.count else { return nil }
            return byNumber.sorted { $0.0 < $1.0 }.map { number, value in
                guard !ModelSong.isOne(value), value.whole == nil else { return value }
                let why = value.members?["why"] ?? value
                return .object(["number": .number(Double(number)), "why": why])
            }
        default: return nil
        }
    }

    // MARK: Lists without the object

    /// Names that models use for a list of numbers.
    private static let listNames: Set<String> = [
        "answer", "candidates", "ids", "items", "list", "numbers", "playlist", "result", "results", "selected",
        "selection", "song", "song_numbers", "songnumbers", "song_ids", "songids", "tracks", "data",
        "picks", "picked", "choices", "chosen", "output", "selected_numbers", "selected_songs", "selected_ids",
        "recommendations", "track_numbers", "candidate_numbers", "song_list", "indices",
    ]

    /// Reads the last list of songs without the usual object around it, or the last run of songs one after another.
    init?(bareIn text: ModelText) {
        // The missing part of a text may have contained most of its songs.
        let lines = text.isUnended ? nil : text.runs(of: ModelSong.isOne).last
        let list = text.parts.last { part in
            Self.list(in: part.value, isAlone: text.isAlone(part.range)) != nil
        }
        if let lines, let first = lines.first, let last = lines.last, lines.count > 1 || text.isAlone(first.range),
            list.map({ $0.range.lowerBound < last.range.lowerBound }) ?? true
        {
            self.init(bare: lines.map(\.value))
        } else if let list, let items = Self.list(in: list.value, isAlone: text.isAlone(list.range)) {
            self.init(bare: items)
        } else {
            return nil
        }
    }

    private init(bare items: [ModelValue]) { (numbers, names) = (items, nil) }

    /// The list of songs that a value is, or that it has under a name other than the requested one.
    private static func list(in value: ModelValue, isAlone: Bool) -> [ModelValue]? {
        switch value {
        case .list(let items): return isOfSongs(items, isAlone: isAlone) ? items : nil
        case .object(let members):
            for (name, value) in members.sorted(by: { $1.key < $0.key }) {
                guard value.items != nil || value.members != nil else { continue }
                if let items = list(in: value, isAlone: isAlone && listNames.contains(name)) {
                    // Bare numbers may be anything, such as years.
                    if listNames.contains(name) || items.contains(where: { $0.members != nil }) { return items }
                }
            }
            return nil
        default: return nil
        }
    }

    /// Whether a list consists of songs. One or two numbers in brackets may mean anything in a text (`[1]`), so they
    /// count only if there is no other text.
    private static func isOfSongs(_ items: [ModelValue], isAlone: Bool) -> Bool {
        let looked = items.prefix(mostSongs)
        let readable = looked.count { ModelSong.numbered($0) != nil || ModelSong.named($0) != nil }
        guard readable > 0, readable * 2 >= looked.count else { return false }
        return isAlone || readable >= 3 || items.contains { $0.members != nil }
    }
}
