import Model

/// What an album's title says about the versions of its songs, whose own titles often do not repeat it.
///
/// Only words apart from the album's name count: `Harbor (Acoustic)` is an album of acoustic versions, but `Stripped`
/// is a name. For live albums see ``AlbumTitle/isLive``.
struct AlbumTakes: Sendable {
    /// Kinds that are named in brackets, or after a dash or a colon.
    private(set) var kinds: SongVersion.Kinds = []
    /// Versions that are named there: indices in ``KeywordTable/otherVersions``, and hashes of the names of instruments.
    private(set) var others: Set<UInt64> = []
    /// Less certain kinds: those at the end of the name without any punctuation, or `unplugged` within the name.
    private(set) var hints: SongVersion.Kinds = []
    /// Versions that an album may also state in another sense: `(BBC Sessions)`, `(Reimagined)`.
    private(set) var otherHints: Set<UInt64> = []

    var isEmpty: Bool { kinds.isEmpty && others.isEmpty && hints.isEmpty && otherHints.isEmpty }
    var allKinds: SongVersion.Kinds { kinds.union(hints) }

    /// The versions that a title can state for all songs of an album. Remixes and the like are not among them: song
    /// titles say whose remixes they are.
    static let possible: SongVersion.Kinds = [.acoustic, .instrumental, .demo, .aCappella, .karaoke]
    /// Those that may end a name without punctuation. `A Tribute` is a name.
    private static let possibleInNames = possible.subtracting(.karaoke)
    private static let possibleOthers = KeywordTable.indices(
        ofVersions: [
            "piano", "orchestral", "rerecorded", "sped up", "slowed", "8D", "lo-fi", "8-bit", "rehearsal", "commentary",
            "drumless", "music box",
        ])
    private static let hintingOthers = KeywordTable.indices(ofVersions: ["session", "reimagined"])
    /// Outtakes, which are also named next to demos: `Demos & Outtakes` does not say which of the two a song is.
    private static let alternates = KeywordTable.indices(ofVersions: ["alternate"])

    /// Whether a part of a title beside the name adds something to the album, such as `(Deluxe with Demos)`, `(Deluxe /
    /// Demos)` or `[+ Instrumentals]`. It is then about only some of the songs.
    static func isAddition(_ part: TitleParts.Part, of text: TokenText) -> Bool {
        let words = part.words
        if words.isEmpty || isAboutPlayers(words) { return false }
        // `(Slowed & Reverb)` is about all songs, but `(Deluxe & Demos)` is not.
        let divides = part.tokens.contains { token in
            switch token {
            case .slash, .comma, .semicolon, .bullet: true
            default: token.word?.isConjunction == true
            }
        }
        let isTwofold = divides && words.contains { $0.term == .neutral || $0.is(.edition) }
        return isTwofold || adds(words, to: text)
    }

    /// Whether words beside the name say that they add something: `(plus Live Tracks)`.
    static func adds(_ words: [Word], to text: TokenText) -> Bool {
        words.first.map(text.isAfterPlus) ?? false || words.contains { $0.is(.addition) }
    }

    /// Whether a part only says who plays, such as `(With Orchestra)`.
    private static func isAboutPlayers(_ words: [Word]) -> Bool {
        guard let first = words.first, first.is(.addition), first.is(.withGuests) else { return false }
        return instruments(words.dropFirst())?.isEmpty == false
    }

    /// The instruments that words name; `nil` if they say something else, too.
    private static func instruments(_ words: some Sequence<Word>) -> Set<UInt64>? {
        var found: Set<UInt64> = []
        for word in words {
            if word.is(.instrument) {
                found.insert(word.hash)
                continue
            }
            if word.is(.addition) { return nil }
            switch word.term {
            case .version, .filler, .kind, .mix, .neutral, .other: continue
            default: if !word.is(.ensemble) { return nil }
            }
        }
        return found
    }

    /// Reads a part of the title beside the name, other than an addition.
    mutating func read(_ part: TitleParts.Part) {
        let words = part.words
        let hasKind = words.contains { if case .kind = $0.term { true } else { false } }
        for word in KeywordTable.joiningPhrases(words) {
            switch word.term {
            case .other(let place) where !hasKind && Self.alternates.contains(UInt64(place)):
                others.insert(UInt64(place))
            case .kind(let kind): kinds.formUnion(kind.intersection(Self.possible))
            case .other(let place) where Self.possibleOthers.contains(UInt64(place)): others.insert(UInt64(place))
            case .other(let place) where Self.hintingOthers.contains(UInt64(place)): otherHints.insert(UInt64(place))
            default: break
            }
            if word.is(.unplugged) { kinds.insert(.acoustic) }
        }
        others.formUnion(Self.instruments(Self.isAboutPlayers(words) ? words.dropFirst() : words[...]) ?? [])
    }

    mutating func addHint(_ kind: SongVersion.Kinds) { hints.formUnion(kind) }

    /// Reads the name, and removes a version at its end: `Harbor Instrumentals`.
    ///
    /// - Returns: whether the album is unplugged, and therefore live.
    mutating func readName(_ words: inout [Word]) -> Bool {
        let isUnplugged = words.contains { $0.is(.unplugged) && $0.term == .kind(.live) }
        if isUnplugged { hints.insert(.acoustic) }
        guard words.count > 1, let last = words.last, case .kind(let kind) = last.term,
            Self.possibleInNames.contains(kind), !last.is(.unplugged), !words[words.count - 2].isConjunction
        else { return isUnplugged }
        hints.insert(kind)
        words.removeLast()
        return isUnplugged
    }
}
