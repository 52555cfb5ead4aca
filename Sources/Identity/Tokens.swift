import Model

/// A folded word of a title or a name: a range of its ``TokenText``.
struct Word: Sendable {
    let start: Int32
    let end: Int32
    /// Equal for equal words.
    let hash: UInt64
    /// What the word means in titles and lists of artists.
    let keyword: Keyword

    /// Whether it is a spelling of `and`, which services use interchangeably.
    var isConjunction: Bool { keyword.roles.contains(.conjunction) }
    var term: TitleTerm? { keyword.term }

    func `is`(_ role: Keyword.Roles) -> Bool { !keyword.roles.isDisjoint(with: role) }
}

/// An element of a title or a name.
enum Token: Sendable {
    case word(Word)
    case open
    case close
    /// A hyphen or dash next to a space.
    case dash
    /// A vertical bar next to a space.
    case bar
    /// A colon before a space.
    case colon
    /// A comma, except within a number, as in `10,000`.
    case comma
    case semicolon
    case slash(isSpaced: Bool)
    /// A sign that occurs between names but not in them: a bullet, a backslash, a control character.
    case bullet
    /// A dot at half height without spaces, which joins the words of one name: `迈克尔·杰克逊`, `ジョン・レノン`.
    case middleDot

    var word: Word? { if case .word(let word) = self { word } else { nil } }
    var term: TitleTerm? { word?.keyword.term }
}

/// A folded text and its tokens.
struct TokenText: Sendable {
    let scalars: [Unicode.Scalar]
    private(set) var tokens: [Token] = []

    init(_ text: String) {
        scalars = Self.prepared(text)
        readTokens()
    }

    var words: [Word] { tokens.compactMap(\.word) }

    /// The number that a word denotes: digits, a Roman numeral up to 20, or an English word up to ten.
    func number(of word: Word) -> Int? {
        if word.keyword.number > 0 { return word.is(.ordinal) ? nil : Int(word.keyword.number) }
        guard word.end - word.start <= 4 else { return nil }
        var value = 0
        for index in Int(word.start)..<Int(word.end) {
            guard (0x30...0x39).contains(scalars[index].value) else { return nil }
            value = value * 10 + Int(scalars[index].value - 0x30)
        }
        return value
    }

    /// The ordinal number that a word denotes: `1st`, `2nd`, or a word up to `tenth`.
    func ordinal(of word: Word) -> Int? {
        if word.is(.ordinal) { return Int(word.keyword.number) }
        let digits = scalars[Int(word.start)..<Int(word.end)].prefix { (0x30...0x39).contains($0.value) }
        guard (1...3).contains(digits.count), digits.endIndex < Int(word.end) else { return nil }
        let suffix = StableHash.of(scalars[digits.endIndex..<Int(word.end)])
        guard KeywordTable.shared[suffix].roles.contains(.ordinalSuffix) else { return nil }
        return digits.reduce(0) { $0 * 10 + Int($1.value - 0x30) }
    }

    /// Whether a period and a space follow a word, as in `IV. Allegro`.
    func isBeforeStop(_ word: Word) -> Bool {
        let end = Int(word.end)
        return end < scalars.count && scalars[end] == "." && isSpace(end + 1)
    }

    private mutating func readTokens() {
        tokens.reserveCapacity(scalars.count / 4 + 4)
        var start = -1
        var hash = StableHash.start
        for index in scalars.indices {
            let scalar = scalars[index]
            if FoldedText.isWordPart(scalar) {
                if start < 0 {
                    start = index
                    hash = StableHash.start
                }
                StableHash.add(scalar, to: &hash)
                continue
            }
            if start >= 0 {
                append(start, index, hash)
                start = -1
            }
            switch scalar {
            case " ": continue
            case "(", "[", "{", "【": tokens.append(.open)
            case ")", "]", "}", "】": tokens.append(.close)
            case "-", "‐", "–", "—", "−", "~", "〜": if isSpaced(index) { tokens.append(.dash) }
            case "|", "¦", "│", "∣", "‖": tokens.append(isSpaced(index) ? .bar : .bullet)
            case ":": if isSpace(index + 1) { tokens.append(.colon) }
            case ",", "、", "،": if !isWithinNumber(index) { tokens.append(.comma) }
            case ";", "؛": tokens.append(.semicolon)
            // Including the signs that replace a slash in file names.
            case "/", "⁄", "∕", "⧸": tokens.append(.slash(isSpaced: isSpaced(index)))
            case "·", "・", "‧", "∙", "⋅": tokens.append(isSpaced(index) ? .bullet : .middleDot)
            case "•", "●", "◦", "▪", "■", "⦁", "\\", "∖", "⧵", "\0"..."\u{1F}", "\u{2028}", "\u{2029}":
                tokens.append(.bullet)
            case "&": append(index, index + 1, Self.ampersand)
            case "+" where isSpace(index - 1) && isSpace(index + 1): append(index, index + 1, Self.ampersand)
            default: continue
            }
        }
        if start >= 0 { append(start, scalars.count, hash) }
    }

    private static let ampersand = StableHash.of("&")

    private mutating func append(_ start: Int, _ end: Int, _ hash: UInt64) {
        tokens.append(
            .word(Word(start: Int32(start), end: Int32(end), hash: hash, keyword: KeywordTable.shared[hash])))
    }

    private func isSpaced(_ index: Int) -> Bool { isSpace(index - 1) || isSpace(index + 1) }

    /// Whether a word has spaces or the ends of the text on both sides, unlike the `I` in `B.I.G.`
    func isAlone(_ word: Word) -> Bool { isSpace(Int(word.start) - 1) && isSpace(Int(word.end)) }

    /// Whether a word that may be short for `and` is that, as in `Rock 'n' Roll`, and not a letter of a name, as in
    /// `'N Sync` and `R.I.N.G`.
    ///
    /// - Parameter isBetween: whether it is between two other words.
    func isAnd(_ word: Word, isBetween: Bool) -> Bool {
        guard isBetween else { return false }
        let (before, after) = (Int(word.start) - 1, Int(word.end))
        return !(before >= 0 && scalars[before] == ".") && !(after < scalars.count && scalars[after] == ".")
    }

    /// Whether a word of several letters is alone except for a period, as in `Nora vs. Ada`.
    func isAbbreviated(_ word: Word) -> Bool {
        word.end - word.start > 1 && isSpace(Int(word.start) - 1) && isBeforeStop(word)
    }

    /// Whether a plus sign precedes a word, as in `[+ Instrumentals]`.
    func isAfterPlus(_ word: Word) -> Bool {
        var index = Int(word.start) - 1
        while index >= 0, scalars[index] == " " { index -= 1 }
        return index >= 0 && scalars[index] == "+"
    }

    /// Whether a comma separates the thousands of a number: it is between a digit and exactly three digits.
    private func isWithinNumber(_ index: Int) -> Bool {
        func isDigit(_ index: Int) -> Bool {
            scalars.indices.contains(index) && (0x30...0x39).contains(scalars[index].value)
        }
        return isDigit(index - 1) && (1...3).allSatisfy { isDigit(index + $0) } && !isDigit(index + 4)
    }

    private func isSpace(_ index: Int) -> Bool {
        guard index >= 0, index < scalars.count else { return true }
        let scalar = scalars[index]
        return scalar.isASCII ? scalar.value <= 0x20 : scalar.properties.isWhitespace
    }

    /// The length in bytes up to which texts are folded. The cost of Unicode normalization grows with the square of the
    /// number of marks on one letter, so longer texts, which no service has, are compared as they are.
    static let longestFolded = 4_096

    /// Folds a text, and replaces signs that stand for letters: `A$AP` becomes `ASAP`, `P!nk` becomes `Pink`.
    private static func prepared(_ text: String) -> [Unicode.Scalar] {
        guard text.utf8.count <= longestFolded else { return Array(text.unicodeScalars) }
        var scalars = FoldedText.scalars(of: MisreadText.repaired(text))
        for index in scalars.indices where scalars[index].value < 0x41 {
            let scalar = scalars[index]
            guard scalar == "$" || scalar == "!" || scalar == "@" else { continue }
            let isAfterLetter = index > 0 && isLetter(scalars[index - 1])
            let isBeforeLetter = index + 1 < scalars.count && isLetter(scalars[index + 1])
            switch scalar {
            case "$" where isAfterLetter || isBeforeLetter: scalars[index] = "s"
            case "!" where isAfterLetter && isBeforeLetter: scalars[index] = "i"
            case "@" where isAfterLetter && isBeforeLetter: scalars[index] = "a"
            default: break
            }
        }
        CensoredWord.replace(in: &scalars)
        return scalars
    }

    private static func isLetter(_ scalar: Unicode.Scalar) -> Bool { (0x61...0x7A).contains(scalar.value) }
}
