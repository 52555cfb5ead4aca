import Model

/// The title of an album, separated from its edition.
struct AlbumTitle: Sendable {
    /// The name itself; empty if there is no album.
    let core: CompactName
    /// What brackets and suffixes say, apart from editions, such as `(Part 1)`; in compact form.
    let rest: CompactName
    /// A hash that is equal for equal titles with equal editions, ignoring spaces and punctuation.
    let whole: UInt64
    /// Whether the title says that the album was recorded live.
    let isLive: Bool
    let wording: SongVersion.Wording?
    /// Whether the title says that others imitate the artist.
    let isTribute: Bool
    /// What the title says about the versions of its songs.
    let takes: AlbumTakes

    init(_ title: String) {
        guard !title.isEmpty else {
            (core, rest, whole, isLive, wording, isTribute, takes) = (
                .empty, .empty, 0, false, nil, false, AlbumTakes()
            )
            return
        }
        let text = TokenText(title)
        let parts = TitleParts(text)
        var isLive = KeywordTable.isInConcert(text.words)
        var wording: SongVersion.Wording?
        var rest: [Word] = []
        var takes = AlbumTakes()
        // `The Reason EP` and `Slow Down Remixes` are also written with brackets.
        var core = parts.core.compactMap(\.word)
        while core.count > 1, let last = core.last, last.is(.albumSuffix) { core.removeLast() }
        for part in parts.others {
            let words = part.words
            let isAddition = AlbumTakes.isAddition(part, of: text)
            for word in KeywordTable.joiningPhrases(words) {
                switch word.term {
                case .kind(.live): if !AlbumTakes.adds(words, to: text) { isLive = true }
                case .explicit: wording = .explicit
                case .clean: wording = .clean
                default: continue
                }
            }
            // If there is nothing else, these words are the name.
            if !core.isEmpty, !isAddition { takes.read(part) }
            if KeywordTable.isExplicitMark(words) { wording = .explicit }
            if !Self.isEdition(words, in: text) { rest += words }
        }
        if Self.isNameOfLiveAlbum(core) { isLive = true }
        // `Karaoke Nights` may be a name.
        let isTribute =
            parts.others.contains { KeywordTable.isTribute($0.words) } || Self.isNameOfTribute(core)
        if !isTribute, core.count > 1, KeywordTable.isTribute(core) { takes.addHint(.karaoke) }
        if takes.readName(&core) { isLive = true }
        if core.isEmpty {
            core = rest.isEmpty ? parts.others.first?.words ?? [] : rest
            rest = []
        }
        self.core = core.isEmpty ? CompactName(signsOf: text) : CompactName(core, in: text, readsNumerals: true)
        self.rest = rest.isEmpty ? .empty : CompactName(rest, in: text)
        let all = text.words
        whole = all.isEmpty || parts.others.isEmpty && all.count == core.count ? self.core.hash : Self.hash(all)
        self.isTribute = isTribute
        self.isLive = isLive
        self.wording = wording
        self.takes = takes
    }

    /// Whether two titles mean the same album, regardless of the edition.
    func isAlike(_ other: AlbumTitle) -> Bool {
        guard !core.isEmpty, core == other.core else { return false }
        return rest == other.rest || rest.isEmpty || other.rest.isEmpty
    }

    private static func hash(_ words: [Word]) -> UInt64 {
        words.reduce(StableHash.start) { $1.isConjunction ? $0 : StableHash.of($0, $1.hash) }
    }

    /// Whether `live` begins or ends an album's name without being a verb there: `Live in Oslo`, `Harbor Live`, but not
    /// `Live Through This`, `Live and Let Die`, `The Way We Live`.
    private static func isNameOfLiveAlbum(_ name: [Word]) -> Bool {
        guard name.count > 1, let last = name.last else { return false }
        if name[0].is(.live) {
            let next = name.dropFirst().first { !$0.isConjunction }
            if next?.is(.afterVerb) != true { return true }
        }
        return last.is(.live) && name.count > 2 && !name[name.count - 2].is(.beforeVerb)
    }

    /// Whether an album's name ends with a word for imitations, or says whose songs are imitated.
    private static func isNameOfTribute(_ name: [Word]) -> Bool {
        guard name.count > 1, let last = name.last else { return false }
        return last.is(.tribute) || KeywordTable.isTribute(name.filter { !$0.is(.tribute) })
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
