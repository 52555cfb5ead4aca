import Model

/// The artists that a text names.
struct ArtistList: Sendable {
    /// In the order of the text.
    var main: [CompactName] = []
    /// Those after `feat.`.
    var guests: [CompactName] = []
    /// Whether the name is that of people who copy others: a karaoke band, a tribute.
    var isTribute = false
    /// A compilation's "Various Artists" names nobody.
    var isVarious: Bool { main.count == 1 && Self.various.contains(main[0].hash) }

    private static let various = Set(
        [
            "variousartists", "various", "va", "varios", "variosartistas", "artistesdivers", "diverse",
            "unknownartist", "unknown", "verschiedeneinterpreten", "разныеисполнители",
        ].map { StableHash.of(FoldedText.scalars(of: $0)) })

    init(_ artist: String) {
        let text = TokenText(artist)
        let names = Self.names(in: text.tokens[...], of: text)
        main = names.main
        guests = names.guests
        isTribute = names.isTribute
        if main.isEmpty { swap(&main, &guests) }
        if main.isEmpty {
            let signs = CompactName(signsOf: text)
            if !signs.isEmpty { main = [signs] }
        }
    }

    struct Names {
        var main: [CompactName] = []
        var guests: [CompactName] = []
        var isTribute = false
    }

    /// The names in a part of a text, divided by commas, `&` and the like.
    static func names(in tokens: ArraySlice<Token>, of text: TokenText) -> Names {
        var names = Names()
        var words: [Word] = []
        var isGuest = false
        var depth = 0
        func end() {
            // "The" comes and goes before names of bands.
            if words.count > 1, words[0].is(.the) { words.removeFirst() }
            guard !words.isEmpty else { return }
            let name = CompactName(words, in: text)
            words.removeAll(keepingCapacity: true)
            if isGuest { names.guests.append(name) } else { names.main.append(name) }
        }
        for index in tokens.indices {
            switch tokens[index] {
            case .open:
                depth += 1
                if depth == 1, !isFeature(tokens, at: index + 1) { continue }
            case .close:
                depth = max(0, depth - 1)
                if depth == 0, isGuest { end() }
            case .comma where isArticle(tokens, at: index + 1): continue
            case .comma, .semicolon, .slash: end()
            case .dash, .colon: continue
            case .word(let word):
                if case .kind(.karaoke) = word.term { names.isTribute = true }
                if word.isConjunction {
                    if isArticle(tokens, at: index + 1) { continue }
                    end()
                } else if isSeparator(word, in: tokens, at: index) {
                    end()
                    if word.term == .feature { isGuest = true }
                } else if depth == 0 || isGuest {
                    words.append(word)
                }
            }
        }
        end()
        return names
    }

    /// Whether a word stands between two names.
    private static func isSeparator(_ word: Word, in list: ArraySlice<Token>, at index: Int) -> Bool {
        guard word.is(.separator) else { return false }
        return word.term == .feature || index > list.startIndex && index + 1 < list.endIndex
    }

    /// Whether a name goes on: `Nora & the Lanterns`, `Kool and his Gang` and `Tyler, the Creator` are one.
    private static func isArticle(_ list: ArraySlice<Token>, at index: Int) -> Bool {
        guard index < list.endIndex, let word = list[index].word else { return false }
        return word.is(.nameGoesOn)
    }

    private static func isFeature(_ list: ArraySlice<Token>, at index: Int) -> Bool {
        guard index < list.endIndex, let word = list[index].word else { return false }
        return word.term == .feature || word.is(.withGuests)
    }
}
