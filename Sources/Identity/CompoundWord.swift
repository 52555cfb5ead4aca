import Model

/// Words that are written without spaces between them: `ライブバージョン`, `Live版`, `Karaokeversion`.
struct CompoundWord {
    /// Splits a word into its parts; `nil` for a word that names no version, or that is not a compound.
    ///
    /// Letters of one script must consist entirely of known words: `Liveversion` is split, `Livewire` is not. Unknown
    /// letters may precede a known word where the script changes, and before words such as `バージョン` and `版`.
    static func words(in word: Word, of text: TokenText) -> [Word]? {
        guard word.term == nil, (2...longest).contains(Int(word.end - word.start)) else { return nil }
        var compound = CompoundWord(text: text)
        let end = Int(word.end)
        var start = Int(word.start)
        while start < end {
            let script = Script(text.scalars[start])
            var next = start + 1
            while next < end, Script(text.scalars[next], after: script) == script { next += 1 }
            compound.read(start, next, script)
            start = next
        }
        return compound.result
    }

    /// In scalars. Longer words are titles without spaces.
    private static let longest = 48
    private static let longestPart = 24

    private enum Script {
        case digits, letters, hiragana, katakana, hangul, ideographs

        init(_ scalar: Unicode.Scalar, after script: Script = .letters) {
            switch scalar.value {
            case 0x30...0x39: self = .digits
            case ..<0x300: self = .letters
            case 0x3099, 0x309A: self = script
            case 0x3041...0x309F: self = .hiragana
            case 0x30A0...0x30FF: self = .katakana
            case 0x1100...0x11FF: self = .hangul
            default: self = scalar.properties.isIdeographic || scalar == "々" ? .ideographs : .letters
            }
        }
    }

    private let text: TokenText
    private var words: [Word] = []
    private var hasVersion = false
    /// Whether the word has a script that is written without spaces.
    private var isSpaceless = false
    /// Whether letters remain that are not a known word.
    private var hasUnknownLetters = false

    private init(text: TokenText) {
        self.text = text
    }

    private var result: [Word]? {
        hasVersion && words.count > 1 && (isSpaceless || !hasUnknownLetters) ? words : nil
    }

    private mutating func read(_ start: Int, _ end: Int, _ script: Script) {
        if script != .digits && script != .letters { isSpaceless = true }
        let whole = self.word(start, end)
        if whole.term != nil { return append(whole) }
        // For every index from which known words reach the end: the end of the first such word.
        var ends = [Int](repeating: 0, count: end - start)
        for from in stride(from: end - 1, through: start, by: -1) where script != .digits {
            var hash = StableHash.start
            for index in from..<min(end, from + Self.longestPart) {
                StableHash.add(text.scalars[index], to: &hash)
                let next = index + 1
                guard next == end || ends[next - start] > 0 && !isContinued(at: next),
                    isPart(KeywordTable.shared[hash], length: next - from, script)
                else { continue }
                ends[from - start] = next
            }
        }
        let known = ends[0] > 0 ? start : ends.indices.first { canFollow(ends, $0, start, script) }.map { start + $0 }
        guard var position = known else {
            if script != .digits { hasUnknownLetters = true }
            return appendUnknown(start, end)
        }
        if position > start { appendUnknown(start, position) }
        while position < end {
            append(word(position, ends[position - start]))
            position = ends[position - start]
        }
    }

    /// Whether the known words from an index on may follow unknown letters of the same script.
    private func canFollow(_ ends: [Int], _ position: Int, _ start: Int, _ script: Script) -> Bool {
        guard ends[position] > 0, !isContinued(at: start + position) else { return false }
        switch (script, word(start + position, ends[position]).term) {
        case (.ideographs, _), (.katakana, .version), (.hangul, .version): return true
        // Not `ライブ`, since `ドライブ` ends with it.
        case (.katakana, .kind(.remix)), (.katakana, .kind(.karaoke)): return true
        default: return false
        }
    }

    /// Whether a scalar belongs to the syllable before it.
    private func isContinued(at index: Int) -> Bool {
        let value = text.scalars[index].value
        return value == 0x3099 || value == 0x309A || (0x1160...0x11FF).contains(value)
    }

    private func isPart(_ keyword: Keyword, length: Int, _ script: Script) -> Bool {
        guard script != .letters || length >= 3, !keyword.roles.contains(.conjunction) else { return false }
        return switch keyword.term {
        case .part, .feature: false
        case nil: !keyword.roles.isDisjoint(with: [.short, .long, .club, .unplugged, .instrument])
        default: true
        }
    }

    private mutating func append(_ word: Word) {
        switch word.term {
        case .kind, .version, .mix, .edit: hasVersion = true
        default: break
        }
        words.append(word)
    }

    private mutating func appendUnknown(_ start: Int, _ end: Int) {
        // Adjacent unknown letters are one word, even in several scripts: `弾き語り`.
        if let last = words.last, last.keyword.term == nil, Int(last.end) == start {
            words[words.count - 1] = word(Int(last.start), end)
        } else {
            words.append(word(start, end))
        }
    }

    private func word(_ start: Int, _ end: Int) -> Word {
        let hash = StableHash.of(text.scalars[start..<end])
        return Word(start: Int32(start), end: Int32(end), hash: hash, keyword: KeywordTable.shared[hash])
    }
}
