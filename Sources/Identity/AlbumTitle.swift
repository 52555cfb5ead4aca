import Model

/// A title of an album, without its edition.
struct AlbumTitle: Sendable {
    /// Empty where there is no album.
    let core: CompactName
    /// What brackets and suffixes say that is no edition, such as `(Part 1)`; in compact form.
    let rest: CompactName
    /// Equal for equal titles with equal editions, spaces and punctuation aside.
    let whole: UInt64
    /// Whether it says that it was recorded on stage.
    let isLive: Bool
    let wording: SongVersion.Wording?
    /// Whether it says that others copy the artist.
    let isTribute: Bool

    init(_ title: String) {
        guard !title.isEmpty else {
            (core, rest, whole, isLive, wording, isTribute) = (.empty, .empty, 0, false, nil, false)
            return
        }
        let text = TokenText(title)
        let parts = TitleParts(text)
        var isLive = KeywordTable.isInConcert(text.words)
        var wording: SongVersion.Wording?
        var rest: [Word] = []
        for part in parts.others {
            let words = part.words
            for word in words {
                switch word.term {
                case .kind(.live): isLive = true
                case .explicit: wording = .explicit
                case .clean: wording = .clean
                default: continue
                }
            }
            if !Self.isEdition(words, in: text) { rest += words }
        }
        // `The Reason EP` and `Slow Down Remixes` are also written with brackets.
        var core = parts.core.compactMap(\.word)
        while core.count > 1, let last = core.last, last.is(.albumSuffix) { core.removeLast() }
        if let first = core.first, let last = core.last {
            if first.is(.live) && core.count > 1 { isLive = true }
            if last.is(.live) && core.count > 2 || last.is(.unplugged) { isLive = true }
        }
        if core.isEmpty {
            core = rest.isEmpty ? parts.others.first?.words ?? [] : rest
            rest = []
        }
        self.core = core.isEmpty ? CompactName(signsOf: text) : CompactName(core, in: text, readsNumerals: true)
        self.rest = rest.isEmpty ? .empty : CompactName(rest, in: text)
        let all = text.words
        whole = all.isEmpty || parts.others.isEmpty && all.count == core.count ? self.core.hash : Self.hash(all)
        isTribute = KeywordTable.isTribute(all)
        self.isLive = isLive
        self.wording = wording
    }

    /// Whether two albums are one, editions aside.
    func isAlike(_ other: AlbumTitle) -> Bool {
        guard !core.isEmpty, core == other.core else { return false }
        return rest == other.rest || rest.isEmpty || other.rest.isEmpty
    }

    private static func hash(_ words: [Word]) -> UInt64 {
        words.reduce(StableHash.start) { $1.isConjunction ? $0 : StableHash.of($0, $1.hash) }
    }

    private static func isEdition(_ words: [Word], in text: TokenText) -> Bool {
        if words.contains(where: { $0.is(.soundtrack) }) { return true }
        return words.allSatisfy { word in
            if word.is(.edition) || text.number(of: word) != nil { return true }
            return switch word.term {
            case .neutral, .filler, .explicit, .clean, .version, .mix, .kind: true
            default: false
            }
        }
    }
}
