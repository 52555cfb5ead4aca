import Model

/// The artists that a text names.
///
/// Services and taggers separate names with signs and words that also occur within names: `Earth, Wind & Fire`,
/// `AC/DC`, `Guns N' Roses`, `Tyler, The Creator`. So there are several readings: a text is split wherever a name may
/// end, and anything that may be a single name is recorded, too (``ArtistNameCandidate``). Two lists agree if they
/// agree in one of their readings.
struct ArtistList: Sendable {
    /// The main artists in the order of the text, as it is usually meant.
    private(set) var main: [CompactName] = []
    /// The artists after `feat.`.
    private(set) var guests: [CompactName] = []
    /// Everything in the text that may be a single name, in the order of the text; readings of guests come last.
    private(set) var candidates: [ArtistNameCandidate] = []
    /// All main artists as one name, since another text may write them that way.
    private(set) var whole: ArtistNameCandidate?
    /// A hash that is equal for lists with the same letters in the same order; 0 without main artists.
    private(set) var hash: UInt64 = 0
    /// The number of parts that the main artists were split into.
    private(set) var length = 0
    /// Whether the name is that of imitators: a karaoke band, a tribute.
    private(set) var isTribute = false
    /// The keys of the first and last words of the first artist's name, with which a name that is contained in another
    /// is found: `Reif` and `Otto Reif`.
    private(set) var edgeKeys: [UInt64] = []
    /// The indices of ``candidates``, ordered by the skeletons of their names.
    private var order: [Int32] = []

    /// Whether the text names nobody, like the "Various Artists" of a compilation.
    var isVarious: Bool { main.count == 1 && Self.various.contains(main[0].hash) }

    private static let various = Set(
        [
            "variousartists", "various", "va", "varios", "variosartistas", "artistesdivers", "diverse",
            "unknownartist", "unknown", "verschiedeneinterpreten", "разныеисполнители",
        ].map { StableHash.of(FoldedText.scalars(of: $0)) })

    /// In parts. No name has more, such as `Dave Dee, Dozy, Beaky, Mick & Tich`.
    private static let longestName = 6
    /// No recording has more artists.
    private static let mostParts = 100

    init(_ artist: String) {
        let text = TokenText(ArtistSigns.plain(artist))
        self.init(text.tokens[...], of: text)
        isTribute = isTribute || ImitatorNames.areIn(text)
        if main.isEmpty {
            let signs = CompactName(signsOf: text)
            if !signs.isEmpty { addName(ArtistNameCandidate(signs), isMain: true) }
        }
    }

    /// Reads the names in a part of a text.
    ///
    /// - Parameter areGuests: whether they are guests, of whom only the names are compared.
    init(_ tokens: ArraySlice<Token>, of text: TokenText, areGuests: Bool = false) {
        var parts = ArtistParts(tokens, of: text)
        isTribute = parts.isTribute
        if parts.main.isEmpty { swap(&parts.main, &parts.guests) }
        length = min(parts.main.count, Self.mostParts)
        add(parts.main.prefix(length), of: text, isMain: !areGuests)
        if let name = whole?.name ?? main.first { hash = name.hash }
        add(parts.guests.prefix(Self.mostParts - length), of: text, isMain: false)
        if candidates.count > 1 {
            order = candidates.indices.sorted { candidates[$0].name.skeleton < candidates[$1].name.skeleton }
                .map { Int32($0) }
        }
    }

    private mutating func add(_ parts: ArraySlice<ArtistParts.Part>, of text: TokenText, isMain: Bool) {
        func boundary(_ index: Int) -> NameBoundary { index < parts.count ? parts[index].boundary : .certain }
        func candidate(_ range: Range<Int>) -> ArtistNameCandidate {
            var candidate = ArtistNameCandidate(parts[range].flatMap(\.words), in: text, isMain: isMain)
            candidate.isFirst = range.lowerBound == 0
            candidate.parts = range
            candidate.edge = max(
                range.lowerBound == 0 ? .certain : boundary(range.lowerBound), boundary(range.upperBound))
            return candidate
        }
        for start in parts.indices {
            for end in (start + 1)...min(start + Self.longestName, parts.count) {
                candidates.append(candidate(start..<end))
                if boundary(end) == .certain { break }
            }
        }
        var start = 0
        for end in parts.indices.map({ $0 + 1 }) where boundary(end) <= .usual || end - start == Self.longestName {
            if let name = candidates.first(where: { $0.parts == start..<end && $0.isMain == isMain })?.name {
                if isMain, main.isEmpty { edgeKeys = Self.edgeKeys(of: parts[start..<end].flatMap(\.words), in: text) }
                if isMain { main.append(name) } else { guests.append(name) }
            }
            start = end
        }
        if isMain, parts.count > 1 { whole = candidate(0..<parts.count) }
    }

    private mutating func addName(_ candidate: ArtistNameCandidate, isMain: Bool) {
        candidates.append(candidate)
        main.append(candidate.name)
        hash = candidate.name.hash
        length = 1
    }

    /// The keys of names with which lists that may agree find each other: the first name in all its lengths, all
    /// artists as one name, and the parts with the smallest keys, since services order names differently.
    ///
    /// - Parameter limit: the maximum number of keys.
    func keys(_ limit: Int) -> [UInt64] {
        let main = candidates.lazy.filter(\.isMain)
        var keys: [UInt64] = []
        func add(_ key: UInt64?) { if let key, keys.count < limit, !keys.contains(key) { keys.append(key) } }
        let first = main.filter { $0.isFirst && $0.parts.count <= Self.longestFirstKey }
        for candidate in first { add(candidate.key) }
        for candidate in first { add(candidate.leaderKey) }
        add(whole?.key)
        if length > 1 { for key in main.filter({ $0.parts.count == 1 }).map(\.key).sorted() { add(key) } }
        return keys
    }

    private static func edgeKeys(of words: [Word], in text: TokenText) -> [UInt64] {
        let own = words.filter { !$0.isConjunction && !$0.is(.the) && !$0.is(.ensemble) && !$0.is(.article) }
        guard own.count > 1, let first = own.first, let last = own.last else { return [] }
        return [first, last].filter { $0.end - $0.start >= fewestLetters }
            .map { CompactName([$0], in: text).orderlessSkeleton }
    }

    /// Shorter words, such as `DJ`, occur in many names.
    private static let fewestLetters = 3

    /// The most parts in the keys of the first name, for names such as `Crosby, Stills & Nash`, which others write as
    /// one.
    private static let longestFirstKey = 3

    /// Whether a reading matches a name, ignoring small differences, and has a property.
    func contains(_ name: CompactName, where hasProperty: (ArtistNameCandidate) -> Bool = { _ in true }) -> Bool {
        guard candidates.count > 1 else {
            return candidates.first.map { $0.name.isNear(name) && hasProperty($0) } ?? false
        }
        var (low, high) = (0, order.count)
        while low < high {
            let middle = (low + high) / 2
            if candidates[Int(order[middle])].name.skeleton < name.skeleton { low = middle + 1 } else { high = middle }
        }
        while low < order.count {
            let candidate = candidates[Int(order[low])]
            guard candidate.name.skeleton == name.skeleton else { return false }
            if candidate.name.isNear(name), hasProperty(candidate) { return true }
            low += 1
        }
        return false
    }
}

/// How likely it is that a name ends between two parts of a list, the most likely first.
enum NameBoundary: Int, Sendable, Comparable {
    /// At a sign that no name contains, and at the ends of the list.
    case certain
    /// Commas and `&`: usually two names, but sometimes one, such as `Earth, Wind & Fire`.
    case usual
    /// Usually a leader and an ensemble, which form one name: `Nora & the Lanterns`, `Tyler, The Creator`.
    case ensemble
    /// Usually one name: `AC/DC`, `Guns N' Roses`.
    case inner

    static func < (left: NameBoundary, right: NameBoundary) -> Bool { left.rawValue < right.rawValue }
}

/// A part of a list of artists, or several consecutive parts, that may be a single name.
struct ArtistNameCandidate: Sendable {
    let name: CompactName
    /// Whether it belongs to the main artists. Of guests, only the name is compared.
    let isMain: Bool
    /// The hashes of its distinct words, without those that describe an ensemble if there are others.
    let words: [UInt64]
    /// The hashes of the name with its words in another order: `Utada Hikaru` for `Hikaru Utada`.
    let turned: [UInt64]
    /// A hash of the consonants and digits, which is equal for names that may be the same, whatever the order of their
    /// words.
    let key: UInt64
    /// The key without the words that describe an ensemble, such as `Quartet`; `nil` if there are none.
    let leaderKey: UInt64?
    /// Whether the name says that it is that of an ensemble: `Nora Vale Quartet`.
    let isEnsemble: Bool
    /// The range of its parts among those of the main artists, or of the guests.
    var parts = 0..<1
    /// Whether it is at the start of the list.
    var isFirst = true
    /// The less likely of the two boundaries at its ends.
    var edge = NameBoundary.certain

    /// Names with more words are not compared in another order.
    private static let mostTurnedWords = 6

    init(_ name: CompactName) {
        self.name = name
        (words, turned, leaderKey, isMain, isEnsemble) = ([], [], nil, true, false)
        key = name.orderlessSkeleton
    }

    init(_ allWords: [Word], in text: TokenText, isMain: Bool) {
        // Bands are listed with and without "The".
        let all = allWords.count > 1 && allWords[0].is(.the) ? Array(allWords.dropFirst()) : allWords
        name = CompactName(all, in: text)
        self.isMain = isMain
        guard isMain else {
            (words, turned, key, leaderKey, isEnsemble) = ([], [], 0, nil, false)
            return
        }
        key = name.orderlessSkeleton
        turned =
            (2...Self.mostTurnedWords).contains(all.count)
            ? all.indices.dropFirst().map { StableHash.of(CompactName.letters(all[$0...] + all[..<$0], in: text)) } : []
        if all.count == 1, let leader = Self.leader(all[0], in: text) {
            words = [StableHash.of(leader)]
            isEnsemble = true
            leaderKey = CompactName(leader).orderlessSkeleton
            return
        }
        let leader = all.filter { !$0.is(.ensemble) }
        isEnsemble = leader.count < all.count
        words = Array(Set((leader.isEmpty ? all : leader).filter { !$0.isConjunction && !$0.is(.the) }.map(\.hash)))
        leaderKey =
            leader.count < all.count && !leader.isEmpty ? CompactName(leader, in: text).orderlessSkeleton : nil
    }

    /// The leader of an ensemble whose name is written without spaces: `森明子トリオ`.
    private static func leader(_ word: Word, in text: TokenText) -> [Unicode.Scalar]? {
        let name = text.scalars[Int(word.start)..<Int(word.end)]
        guard let last = name.last, last.value >= 0x1100,
            let ensemble = KeywordTable.ensemblesWithoutSpaces
                .first(where: { name.suffix($0.count).elementsEqual($0) }),
            name.count > ensemble.count + 1
        else { return nil }
        return Array(name.dropLast(ensemble.count))
    }

    /// Whether two names have the same words in a different order, or one has all words of the other: weak evidence,
    /// since two artists may have such names.
    func isAlike(_ other: ArtistNameCandidate) -> Bool {
        if turned.contains(other.name.hash) || other.turned.contains(name.hash) { return true }
        let (short, long) = words.count < other.words.count ? (self, other) : (other, self)
        guard !short.words.isEmpty, short.name.letters.unicodeScalars.count >= Self.fewestLetters else { return false }
        return short.words.allSatisfy { long.words.contains($0) }
    }

    /// Shorter names occur as words in many others.
    private static let fewestLetters = 2
}
