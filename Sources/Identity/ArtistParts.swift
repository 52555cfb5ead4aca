/// A text that names artists, split wherever a name may end.
struct ArtistParts {
    struct Part {
        var words: [Word]
        /// The boundary before the part.
        var boundary: NameBoundary
    }

    var main: [Part] = []
    /// The parts after `feat.`.
    var guests: [Part] = []
    private(set) var isTribute = false

    private let text: TokenText
    private var words: [Word] = []
    private var boundary = NameBoundary.certain
    private var isGuest = false
    /// Whether a comma precedes the words.
    private var isAfterComma = false
    /// Whether a slash without spaces precedes the words.
    private var isAfterSlash = false

    init(_ tokens: ArraySlice<Token>, of text: TokenText) {
        self.text = text
        var depth = 0
        for index in tokens.indices {
            switch tokens[index] {
            case .open:
                depth += 1
                if depth == 1, !Self.isFeature(tokens, at: index + 1) { continue }
            case .close:
                depth = max(0, depth - 1)
                if depth == 0, isGuest { end(.certain) }
            case _ where depth > 0 && !isGuest && tokens[index].word == nil: continue
            case .comma:
                end(tokens.dropFirst(index + 1 - tokens.startIndex).first?.word?.is(.the) == true ? .ensemble : .usual)
                isAfterComma = true
            case .semicolon, .bar, .bullet, .slash(isSpaced: true): end(.certain)
            case .slash(isSpaced: false):
                // `//`
                end(isAfterSlash && words.isEmpty ? .certain : .inner)
                isAfterSlash = true
            case .dash, .middleDot: end(.inner)
            case .colon: continue
            case .word(let word):
                let next = index + 1 < tokens.endIndex ? tokens[index + 1].word : nil
                if KeywordTable.isCopying(word, before: next) { isTribute = true }
                if word.term == .feature {
                    end(.certain)
                    isGuest = true
                } else if depth > 0, !isGuest {
                    continue
                } else if let boundary = divider(word, in: tokens, at: index) {
                    end(boundary)
                } else {
                    words.append(word)
                }
            }
        }
        end(.certain)
    }

    /// The boundary that a word between two names forms; `nil` for a word of a name.
    private func divider(_ word: Word, in list: ArraySlice<Token>, at index: Int) -> NameBoundary? {
        let isSign = word.end - word.start == 1 && text.scalars[Int(word.start)] == "&"
        guard isSign || text.isAlone(word) || text.isAbbreviated(word) else { return nil }
        let next = index + 1 < list.endIndex ? list[index + 1].word : nil
        if word.isConjunction, !word.is(.innerSeparator) { return next?.is(.nameGoesOn) == true ? .ensemble : .usual }
        // `Lil Nas X & Nora`, `X`
        // `Nora Vale duet with Ada`
        let isAfterDuet =
            word.is(.withGuests) && index > list.startIndex && list[index - 1].word?.is(.withGuests) == true
        guard word.is(.separator) || word.is(.innerSeparator), let next, !words.isEmpty || isAfterDuet,
            next.term != .feature,
            !next.isConjunction || next.is(.innerSeparator)
        else { return nil }
        if next.is(.nameGoesOn) { return .ensemble }
        return word.is(.innerSeparator) ? .inner : .usual
    }

    private static func isFeature(_ list: ArraySlice<Token>, at index: Int) -> Bool {
        guard index < list.endIndex, let word = list[index].word else { return false }
        return word.term == .feature || word.is(.withGuests)
    }

    /// Ends a part.
    ///
    /// - Parameter next: the boundary after the part. Of several in a row, the most certain one counts.
    private mutating func end(_ next: NameBoundary) {
        defer { isAfterComma = false }
        guard !words.isEmpty else {
            boundary = min(boundary, next)
            return
        }
        var part = Part(words: words, boundary: boundary)
        words.removeAll(keepingCapacity: true)
        boundary = next
        var parts: [Part] {
            get { isGuest ? guests : main }
            _modify { if isGuest { yield &guests } else { yield &main } }
        }
        if let last = parts.indices.last {
            // `Cranberries, The`
            if isAfterComma, part.words.count == 1, part.words[0].is(.article) {
                parts[last].words.insert(part.words[0], at: 0)
                return
            }
            // `AC/DC` is one name, but `Nora Vale/Ada` rarely is.
            if isAfterSlash, part.boundary == .inner, parts[last].words.count > 1 || part.words.count > 1 {
                part.boundary = .usual
            }
        }
        isAfterSlash = false
        parts.append(part)
    }
}
