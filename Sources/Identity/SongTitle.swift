import Model

/// A parsed title.
struct SongTitle: Sendable {
    /// Just the song's name.
    var core: CompactName
    /// What is neither the core nor was recognized, such as a second title in brackets; in compact form.
    var subtitle: CompactName
    var isEmpty: Bool { core.letters.isEmpty && subtitle.isEmpty }
    /// Core and subtitle joined, since services separate them differently.
    var whole: String { subtitle.isEmpty ? core.letters : core.letters + subtitle.letters }
    /// The length of ``whole``, in bytes.
    var length: Int { core.letters.utf8.count + subtitle.letters.utf8.count }
    /// The hash of ``whole``.
    var wholeHash: UInt64
    /// The numbers in the core, and below those in the subtitle; `nil` if there are none.
    private var coreNumbers: TitleNumbers?
    private var subtitleNumbers: TitleNumbers?
    var version = SongVersion()
    /// Artists named in the title, as guests.
    var features: [ArtistList] = []

    init(_ title: String) {
        let text = TokenText(title)
        let parts = TitleParts(text)
        let reader = VersionReader(text: text)
        var version = SongVersion()
        var features: [ArtistList] = []
        var subtitles: [Word] = []

        var inserted: [(position: Int, tokens: [Token])] = []
        for var part in parts.others {
            guard !reader.read(&part, into: &version, features: &features) else { continue }
            if part.isGroup, part.position < parts.core.count {
                inserted.append((part.position, part.tokens))
            } else {
                subtitles += part.words
            }
        }
        // A single pass, since each insertion would move the rest of the core.
        var whole: [Token] = []
        var end = 0
        for (position, tokens) in inserted {
            whole += parts.core[end..<position]
            whole += tokens
            end = position
        }
        whole += parts.core[end...]
        var words = reader.readCore(whole, into: &version, features: &features).compactMap(\.word)
        if words.isEmpty {
            // The title is entirely in brackets, or has only signs.
            words = subtitles.isEmpty ? parts.others.first?.words ?? [] : subtitles
            if subtitles.isEmpty { version = SongVersion() }
            subtitles = []
        }
        core = words.isEmpty ? CompactName(signsOf: text) : CompactName(words, in: text, readsNumerals: true)
        subtitle = subtitles.isEmpty ? .empty : CompactName(subtitles, in: text, readsNumerals: true)
        coreNumbers = TitleNumbers(words, in: text)
        subtitleNumbers = TitleNumbers(subtitles, in: text)
        wholeHash = subtitle.isEmpty ? core.hash : StableHash.of(core.letters + subtitle.letters)
        self.version = version
        self.features = features
    }

    /// Whether the cores are equal except for the notation of their numbers.
    func hasEqualNumbers(as other: SongTitle) -> Bool {
        guard let left = coreNumbers, let right = other.coreNumbers else { return false }
        return left.agrees(with: right)
    }

    /// Whether two titles are equal except for their numbers, like those of two movements or chapters.
    func hasOtherNumbers(than other: SongTitle) -> Bool {
        if let left = coreNumbers, let right = other.coreNumbers, left.contradicts(right) { return true }
        guard let left = subtitleNumbers, let right = other.subtitleNumbers else { return false }
        return core.isNear(other.core) && left.contradicts(right)
    }
}

/// The parts into which brackets, dashes and colons divide a title.
struct TitleParts {
    struct Part {
        /// Whether the part is in brackets, rather than after a dash or a colon.
        var isGroup: Bool
        var isAfterColon = false
        /// How many tokens of the core precede it.
        var position: Int
        var tokens: [Token] = []

        var words: [Word] { tokens.compactMap(\.word) }
    }

    var core: [Token] = []
    var others: [Part] = []

    init(_ text: TokenText) {
        var open: [Int] = []
        // The part after a dash or colon, to which words outside brackets belong.
        var suffix: Int?
        for token in text.tokens {
            switch token {
            case .open:
                others.append(Part(isGroup: true, position: suffix == nil ? core.count : Int.max))
                open.append(others.count - 1)
            case .close: _ = open.popLast()
            case .dash where open.isEmpty && !core.isEmpty, .bar where open.isEmpty && !core.isEmpty,
                .colon where open.isEmpty && !core.isEmpty:
                var part = Part(isGroup: false, position: Int.max)
                if case .colon = token { part.isAfterColon = true }
                others.append(part)
                suffix = others.count - 1
            case .semicolon where !open.isEmpty:
                // Another statement in the same brackets.
                others.append(Part(isGroup: true, position: others[open[open.count - 1]].position))
                open[open.count - 1] = others.count - 1
            case .bullet, .middleDot: continue
            default:
                guard let index = open.last ?? suffix else {
                    core.append(token)
                    continue
                }
                if let word = token.word, let words = CompoundWord.words(in: word, of: text) {
                    others[index].tokens += words.map { .word($0) }
                } else {
                    others[index].tokens.append(token)
                }
            }
        }
        others.removeAll { part in !part.tokens.contains { $0.word != nil } }
    }
}
