import Model

/// Reads what the parts of a title say about the version.
struct VersionReader {
    let text: TokenText

    /// Returns the core without guests, the number of the part, and a version at its end.
    func readCore(
        _ tokens: [Token], into version: inout SongVersion, features: inout [ArtistList]
    ) -> [Token] {
        var tokens = tokens
        if let index = tokens.firstIndex(where: { $0.term == .feature }), index > 0 {
            // Services do not use the form `Song feat. Somebody Remix`.
            features.append(ArtistList(tokens[(index + 1)...], of: text, areGuests: true))
            tokens.removeSubrange(index...)
        }
        if let index = tokens.indices.dropLast().first(where: { tokens[$0].term == .part && $0 > 0 }),
            let part = number(of: tokens[(index + 1)...])
        {
            version.add(part: part.text, isOuter: true)
            tokens.removeSubrange(index...(index + part.length))
        }
        let words = tokens.compactMap(\.word)
        guard words.count > 1, let last = words.last else { return tokens }
        switch last.term {
        case .kind(let kind) where last.is(.remix) || kind == .karaoke:
            version.kinds.insert(kind)
            drop(1)
        case .version:
            guard words.count > 2, let term = words[words.count - 2].term else { break }
            switch term {
            case .kind, .language, .neutral: break
            default: return tokens
            }
            var part = TitleParts.Part(isGroup: true, position: Int.max)
            part.tokens = words.suffix(2).map { .word($0) }
            if read(&part, into: &version, features: &features) { drop(2) }
        default: break
        }
        func drop(_ count: Int) {
            for _ in 0..<count {
                if let index = tokens.lastIndex(where: { $0.word != nil }) { tokens.removeSubrange(index...) }
            }
        }
        return tokens
    }

    /// Whether a part in brackets, or after a dash or a colon, states a version, guests, or nothing of interest.
    /// Otherwise it belongs to the title, without the number that it may start with.
    func read(
        _ part: inout TitleParts.Part, into version: inout SongVersion, features: inout [ArtistList]
    ) -> Bool {
        var tokens = part.tokens
        var didRead = false
        if let index = tokens.firstIndex(where: { $0.term == .feature }) {
            features.append(ArtistList(tokens[(index + 1)...], of: text, areGuests: true))
            tokens.removeSubrange(index...)
            didRead = true
        }
        let words = tokens.compactMap(\.word)
        guard let first = words.first else { return didRead }
        if !part.isAfterColon, words.count > 1, first.is(.withGuests) {
            let start = tokens.firstIndex { $0.word != nil } ?? 0
            features.append(ArtistList(tokens[(start + 1)...], of: text, areGuests: true))
            return true
        }
        if !part.isAfterColon, first.is(.note) { return true }
        if part.isGroup, KeywordTable.isExplicitMark(words) {
            version.wording = .explicit
            return true
        }
        if KeywordTable.isTribute(words) {
            version.kinds.insert(.karaoke)
            return true
        }
        if words.count > 1, first.term == .part, let number = number(of: tokens[1...]),
            number.length + 1 == tokens.count
        {
            version.add(part: number.text)
            return true
        }
        if tokens.count == 2, words.count == 2, let number = sectionNumber(words[0], words[1]) {
            version.add(part: "\(number)")
            return true
        }
        let statement = Statement(words, in: text)
        // After a colon, a second title is more likely.
        if part.isAfterColon ? statement.isWholly : statement.isVersion {
            statement.add(to: &version)
            return true
        }
        // `From "A Film"` says where a song was used.
        if words.count > 1, first.is(.origin), !part.isAfterColon { return true }
        if let number = movementNumber(words), let index = part.tokens.firstIndex(where: { $0.word != nil }) {
            version.add(part: "\(number)")
            part.tokens.remove(at: index)
        }
        return didRead && words.isEmpty
    }

    /// The number of a section of a work: `1st movement`, `Act II`, `Chapter 12`.
    private func sectionNumber(_ first: Word, _ second: Word) -> Int? {
        if second.is(.section), let number = text.ordinal(of: first) { return number }
        if second.is(.section), text.isBeforeStop(first) { return text.number(of: first) }
        return first.is(.section) ? text.number(of: second) : nil
    }

    /// The number before the name of a movement: `IV. Allegro`.
    private func movementNumber(_ words: [Word]) -> Int? {
        guard words.count > 1, text.isBeforeStop(words[0]), words[1].end - words[1].start > 1 else { return nil }
        return text.number(of: words[0])
    }

    /// A number at the start, or two with something between them: `1-5`, `1 & 2`.
    private func number(of tokens: ArraySlice<Token>) -> (text: String, length: Int)? {
        guard let first = tokens.first?.word.flatMap(text.number) else { return nil }
        let rest = tokens.dropFirst()
        if let second = rest.first?.word.flatMap(text.number) { return ("\(first)-\(second)", 2) }
        if let word = rest.first?.word, word.isConjunction || word.is(.to),
            let second = rest.dropFirst().first?.word.flatMap(text.number)
        {
            return ("\(first)-\(second)", 3)
        }
        return ("\(first)", 1)
    }
}

/// What the words of one part of a title mean together.
private struct Statement {
    private var kinds: SongVersion.Kinds = []
    private var others: Set<UInt64> = []
    private var language: UInt8?
    private var wording: SongVersion.Wording?
    private var remixers = ""
    private var places: Set<UInt64> = []
    /// Whether the words state a version; otherwise they are part of the title.
    private(set) var isVersion = false
    /// Whether they do so entirely: without other words, with the version at their end, or as a take at a place.
    private(set) var isWholly = false

    init(_ words: [Word], in text: TokenText) {
        var unknown: [Word] = []
        var isMix = false
        var isEdit = false
        var hasVersion = false
        var hasNeutral = false
        let words = KeywordTable.joiningPhrases(words)
        let isInConcert = KeywordTable.isInConcert(words)
        if isInConcert { kinds.insert(.live) }
        for word in words {
            switch word.term {
            case .kind(let kind): kinds.insert(kind)
            case .mix: isMix = true
            case .edit: isEdit = true
            case .version: hasVersion = true
            case .explicit: wording = .explicit
            case .clean: wording = .clean
            case .neutral: hasNeutral = true
            case .language(let name): language = name
            case .other(let place): others.insert(UInt64(place))
            case .filler, .part, .feature: break
            case nil: unknown.append(word)
            }
        }
        let isRadio = words.contains { $0.is(.short) }
        let isLong = words.contains { $0.is(.long) }
        if words.contains(where: { $0.is(.unplugged) }) { kinds.insert(.acoustic) }
        let names = unknown.filter { !$0.is(.descriptive) }

        if kinds.contains(.remix) {
            remixers = CompactName(unknown.filter { !$0.is(.radio) }, in: text).letters
            if isRadio { kinds.insert(.edit) }
            isVersion = true
        } else if isMix || isEdit, !kinds.contains(.live), !kinds.contains(.remaster) {
            isVersion = true
            if !names.isEmpty || words.contains(where: { $0.is(.club) }) {
                kinds.insert(.remix)
                remixers = CompactName(unknown.filter { !$0.is(.radio) }, in: text).letters
            }
            if isRadio || isEdit && names.isEmpty && !kinds.contains(.extended) { kinds.insert(.edit) }
            if isLong { kinds.insert(.extended) }
        } else if kinds.contains(.live) {
            isVersion = isInConcert || Self.isLive(words)
            places = Set(unknown.filter { !isInConcert || !$0.is(.stage) && !$0.is(.onStage) }.map(\.hash))
        } else if !kinds.isEmpty {
            // With `(Demo)` and `(Acoustic)`, the other words only describe it.
            isVersion = words.count <= 8
        } else if hasVersion {
            isVersion = true
            if isRadio { kinds.insert(.edit) }
            if isLong { kinds.insert(.extended) }
            // A version named after somebody or something.
            if language == nil, others.isEmpty, !names.isEmpty, !hasNeutral {
                others.insert(CompactName(names, in: text).hash)
            }
        } else if unknown.isEmpty {
            isVersion = hasNeutral || wording != nil || !others.isEmpty || language != nil
        } else if !others.isEmpty {
            isVersion = words.count <= 3
        } else if hasNeutral, words.last?.term != nil {
            // `Target bonus track`, `10th anniversary edition`.
            isVersion = words.count <= 4
        }
        let isAtPlace = words.count > 1 && words[0].is(.live) && words[1].is(.afterLive)
        isWholly = isVersion && (unknown.isEmpty || isInConcert || isAtPlace || Self.endsWithVersion(words, in: text))
    }

    /// Whether the last word, ignoring years, names a version.
    private static func endsWithVersion(_ words: [Word], in text: TokenText) -> Bool {
        switch words.last(where: { text.number(of: $0) == nil })?.term {
        case .kind, .version, .mix, .edit: true
        default: false
        }
    }

    /// Whether `live` refers to a take, rather than being a word of the title as in `(The Way I Live)`.
    private static func isLive(_ words: [Word]) -> Bool {
        guard let index = words.firstIndex(where: { $0.term == .kind(.live) }) else { return false }
        if !words[index].is(.live) || index == 0 { return true }
        if index + 1 == words.count { return words.count <= 4 && !words[index - 1].is(.beforeVerb) }
        return words[index + 1].is(.afterLive)
    }

    func add(to version: inout SongVersion) {
        version.kinds.formUnion(kinds)
        // Comparing long texts is slow, and their hashes show whether they are equal.
        let isLong = remixers.utf8.count > EditDistance.longestText
        version.remixers += isLong ? "\(StableHash.of(remixers))" : remixers
        version.places.formUnion(places)
        if let language { version.language = language }
        version.others.formUnion(others)
        if let wording { version.wording = wording }
    }
}
