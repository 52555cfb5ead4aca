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
            for word in words {
                switch word.term {
                case .kind(.live): isLive = true
                case .explicit: wording = .explicit
                case .clean: wording = .clean
                default: continue
                }
            }
            // If there is nothing else, these words are the name.
            if !core.isEmpty { takes.read(words, of: text) }
            if !Self.isEdition(words, in: text) { rest += words }
        }
        if let first = core.first, let last = core.last {
            if first.is(.live) && core.count > 1 { isLive = true }
            if last.is(.live) && core.count > 2 { isLive = true }
        }
        if takes.readName(&core) { isLive = true }
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

/// What an album's title says about the versions of its songs, whose own titles often do not repeat it.
///
/// Only words apart from the album's name count: `Harbor (Acoustic)` is an album of acoustic versions, but `Stripped`
/// is a name. For live albums see ``AlbumTitle/isLive``.
struct AlbumTakes: Sendable {
    /// Kinds that are named in brackets, or after a dash or a colon.
    private(set) var kinds: SongVersion.Kinds = []
    /// Versions that are named there, as indices in ``KeywordTable/otherVersions``.
    private(set) var others: Set<UInt64> = []
    /// Less certain kinds: those at the end of the name without any punctuation, or `unplugged` within the name.
    private(set) var hints: SongVersion.Kinds = []

    var isEmpty: Bool { kinds.isEmpty && others.isEmpty && hints.isEmpty }
    var allKinds: SongVersion.Kinds { kinds.union(hints) }

    /// The versions that a title can state for all songs of an album. Remixes and the like are not among them: song
    /// titles say whose remixes they are.
    static let possible: SongVersion.Kinds = [.acoustic, .instrumental, .demo, .aCappella]
    private static let possibleOthers = KeywordTable.indices(
        ofVersions: [
            "piano", "orchestral", "rerecorded", "sped up", "slowed", "8D", "lo-fi", "8-bit", "rehearsal", "commentary",
        ])
    /// Outtakes, which are also named next to demos: `Demos & Outtakes` does not say which of the two a song is.
    private static let alternates = KeywordTable.indices(ofVersions: ["alternate"])

    /// Reads a part of the title next to the name. A part that adds something, such as `(Deluxe with Demos)`, is about
    /// only some of the songs.
    mutating func read(_ words: [Word], of text: TokenText) {
        // `(Slowed & Reverb)` is about all songs, but `(Deluxe & Demos)` is not.
        let isTwofold =
            words.contains(where: \.isConjunction) && words.contains { $0.term == .neutral || $0.is(.edition) }
        guard let first = words.first, !isTwofold, !text.isAfterPlus(first),
            !words.contains(where: { $0.is(.addition) })
        else { return }
        let tellsKind = words.contains { if case .kind = $0.term { true } else { false } }
        for word in KeywordTable.joiningPhrases(words) {
            switch word.term {
            case .other(let place) where !tellsKind && Self.alternates.contains(UInt64(place)):
                others.insert(UInt64(place))
            case .kind(let kind): kinds.formUnion(kind.intersection(Self.possible))
            case .other(let place) where Self.possibleOthers.contains(UInt64(place)): others.insert(UInt64(place))
            default: break
            }
            if word.is(.unplugged) { kinds.insert(.acoustic) }
        }
    }

    /// Reads the name, and removes a version at its end: `Harbor Instrumentals`.
    ///
    /// - Returns: whether the album is unplugged, and therefore live.
    mutating func readName(_ words: inout [Word]) -> Bool {
        let isUnplugged = words.contains { $0.is(.unplugged) && $0.term == .kind(.live) }
        if isUnplugged { hints.insert(.acoustic) }
        guard words.count > 1, let last = words.last, case .kind(let kind) = last.term, Self.possible.contains(kind),
            !last.is(.unplugged), !words[words.count - 2].isConjunction
        else { return isUnplugged }
        hints.insert(kind)
        words.removeLast()
        return isUnplugged
    }
}
