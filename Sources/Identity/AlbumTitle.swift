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
    /// What it says of its songs' takes.
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
            // Where there is nothing else, they are the name.
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

/// What an album says of the takes of its songs, whose titles often do not repeat it.
///
/// Only words beside the album's name count: `Harbor (Acoustic)` is an album of acoustic versions, and `Stripped` is a
/// name. Live albums are ``AlbumTitle/isLive``.
struct AlbumTakes: Sendable {
    /// In brackets, or after a dash or a colon.
    private(set) var kinds: SongVersion.Kinds = []
    /// Places in ``KeywordTable/otherVersions``, likewise.
    private(set) var others: Set<UInt64> = []
    /// At the end of the name without any sign, or `unplugged` within it: less certain.
    private(set) var hints: SongVersion.Kinds = []

    var isEmpty: Bool { kinds.isEmpty && others.isEmpty && hints.isEmpty }
    var allKinds: SongVersion.Kinds { kinds.union(hints) }

    /// The versions that all songs of an album are. Of remixes and the like, titles say whose they are.
    static let possible: SongVersion.Kinds = [.acoustic, .instrumental, .demo, .aCappella]
    private static let possibleOthers = KeywordTable.places(
        ofVersions: [
            "piano", "orchestral", "rerecorded", "sped up", "slowed", "8D", "lo-fi", "8-bit", "rehearsal", "commentary",
        ])
    /// Outtakes, which are told beside demos, too: `Demos & Outtakes` does not say of a song which it is.
    private static let alternates = KeywordTable.places(ofVersions: ["alternate"])

    /// Reads a part beside the name. One that adds something, such as `(Deluxe with Demos)`, is about some songs.
    mutating func read(_ words: [Word], of text: TokenText) {
        // `(Slowed & Reverb)` is about all songs, `(Deluxe & Demos)` is not.
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

    /// Reads the name, and removes the version at its end: `Harbor Instrumentals`.
    ///
    /// - Returns: whether the album is unplugged, which only live albums are.
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
