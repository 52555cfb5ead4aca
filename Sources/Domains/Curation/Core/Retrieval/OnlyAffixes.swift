import Model

/// The words of ``OnlyArtists`` in languages that attach them to a name: Chinese, Japanese, Korean and Thai (`只听X的歌`,
/// `Xだけ`, `X만`, `เฉพาะเพลงของX`). Other such languages can be added to the lists.
struct OnlyAffixes {
    /// Words that mean "only" before a name.
    private static let before = marks([
        "只", "仅", "僅", "光听", "光聽", "光放", "单单", "單單", "全是", "都是", "全部", "全都", "全曲", "すべて", "全て", "オール",
        "오직", "오로지", "단지", "전부", "모두", "전곡", "เฉพาะ", "แค่", "เพียง", "ฟังแต่", "เอาแต่", "ขอแต่", "เปิดแต่", "เล่นแต่",
        "มีแต่", "ใส่แต่", "เลือกแต่", "จัดแต่", "ไม่เอาอะไรนอกจาก", "ไม่ฟังอะไรนอกจาก", "ไม่มีอะไรนอกจาก",
    ])
    /// Words that mean "only" at the beginning of a clause, and "but" within it.
    private static let beforeAtStart = marks(["แต่"])
    /// Characters that may be between these and the name: `只想听`.
    private static let between = Set("要想听聽放播来來有限能是给給我们們看点點唱选選一些首下的歌曲 ".unicodeScalars)
    /// Words of Thai that may be between these and the name.
    private static let wordsBetween = naming + marks(["เพลง", "ที่", "ร้อง", "ฟัง", "เปิด", "เล่น", "อยาก", "เป็น", "ลง"])
    /// Words of Thai before a name, which may then have other words attached.
    private static let naming = marks(["ของ", "โดย", "จาก", "วง", "ศิลปิน", "นักร้อง"])
    /// Words that mean "only" after a name, or after words of ``songs`` that follow it.
    private static let after = marks([
        "だけ", "のみ", "ばかり", "限定", "オンリー", "しか", "以外なし", "以外不要", "以外いらない", "以外入れない",
        "以外は不要", "以外はなし", "以外はいらない", "以外はいりません", "以外は入れない", "以外は聴かない", "以外は聞かない",
        "他は不要", "他はなし", "他はいらない", "他はいりません", "それ以外はいらない", "就好", "就行", "就够", "就夠",
        "就可以", "以外都不要", "以外的都不要", "之外都不要", "之外的都不要", "不要别的", "不要別的", "不要其他", "不要其它",
        "别的不要", "別的不要", "别的都不要", "別的都不要", "其他不要", "其他的不要", "其他都不要", "만", "뿐", "밖에",
        "외에는", "외엔", "เท่านั้น", "อย่างเดียว", "คนเดียว", "วงเดียว", "ล้วน",
    ])
    /// The particles among ``after`` with which other words may begin: `아이유가 만든 노래`, `밖에서`. A particle is never written
    /// after a space.
    private static let attached = marks(["만", "밖에"])
    /// Words that cancel one of ``after`` by following it: `だけでなく`, `만 빼고`.
    private static let takenBack = marks([
        "でな", "では", "じゃ", "ど", "ならず", "んな", "听", "聽", "큼", "빼", "말고", "아니", "아닌", "제외", "만 아니", "만아니",
        "ไม่พอ", "ก็ไม่พอ",
    ])
    /// Words that cancel one of ``before`` by preceding it: `不只`.
    private static let negations = marks([
        "不", "别", "別", "非", "没", "沒", "不要", "不想", "不用", "不能", "不是", "ไม่", "ไม่ใช่", "มิใช่", "ไม่เอา", "ไม่ได้", "ไม่อยาก",
        "อย่า",
        // "Especially".
        "โดย",
    ])
    /// Words before a name that cancel one of ``after``: `ไม่ใช่แค่ X เท่านั้น`.
    private static let takingBefore = marks(["ไม่ใช่", "มิใช่", "ไม่ใช่แค่", "ไม่ใช่เฉพาะ", "ไม่เอา", "ยกเว้น", "นอกจาก"])
    /// Words that follow a name that is not wanted: `X以外`.
    private static let others = marks(["以外", "之外", "除外", "말고", "빼고", "제외"])
    private static let songs = marks([
        "の", "的", "의", "歌曲", "歌", "曲", "楽曲", "音楽", "音乐", "音樂", "作品", "专辑", "專輯", "ソング", "ナンバー",
        "노래", "곡", "음악", "트랙", "를", "을", "가", "を", "は", " ",
    ])
    private static let genitives = Set("の的의".unicodeScalars)
    /// The entries of ``songs`` that are not separate words.
    private static let particles = Set("の的의를을가をは ".unicodeScalars)
    private static let joining: Set<String> = [
        "", "和", "与", "與", "跟", "及", "以及", "还有", "還有", "或", "或者", "と", "や", "とか", "および", "와", "과", "랑",
        "이랑", "하고", "그리고", "및", "또는", "และ", "กับ", "หรือ", "และวง", "กับวง", "and", "or",
    ]
    /// Words that include other artists, too.
    private static let widening = marks([
        "类似", "類似", "相似", "像", "风格", "風格", "之类", "之類", "那样", "那樣", "みたい", "ような", "っぽい", "似た", "風の",
        "系の", "같은", "비슷", "스타일", "느낌", "เหมือน", "คล้าย", "สไตล์", "แนวเดียว", "แบบเดียวกับ",
    ])
    /// How far after a genitive the word for songs is searched: `Xの明るい曲だけ`.
    private static let farthest = 14

    private static func marks(_ texts: [String]) -> [[Unicode.Scalar]] {
        texts.map { Array($0.unicodeScalars) }.sorted { $0.count > $1.count }
    }

    /// The names by their first letters, the longest first.
    private let known: [Unicode.Scalar: [(letters: [Unicode.Scalar], name: String)]]

    init(_ names: Set<String>) {
        var known: [Unicode.Scalar: [(letters: [Unicode.Scalar], name: String)]] = [:]
        for name in names.sorted() {
            let words = FoldedText.words(of: name)
            // Some people write a space between the parts of a person's name.
            for text in Set([words.joined(separator: " "), words.joined()]) {
                let letters = Array(text.unicodeScalars)
                guard let first = letters.first, letters.count > 1,
                    words.count < 2 || text.contains(" ") || !Self.isSpaced(first)
                else { continue }
                known[first, default: []].append((letters, name))
            }
        }
        self.known = known.mapValues { $0.sorted { ($1.letters.count, $0.name) < ($0.letters.count, $1.name) } }
    }

    /// Whether a clause may ask this way, because it uses one of these scripts.
    static func mayAsk(_ words: [String]) -> Bool {
        words.contains { $0.unicodeScalars.contains { !isSpaced($0) } }
    }

    /// Whether a letter belongs to a script with spaces between words.
    private static func isSpaced(_ letter: Unicode.Scalar) -> Bool { letter.value < 0x1100 && !isThai(letter) }

    private static func isThai(_ letter: Unicode.Scalar) -> Bool { (0xE00...0xE7F).contains(letter.value) }

    private static func isHangul(_ letter: Unicode.Scalar) -> Bool { (0xAC00...0xD7A3).contains(letter.value) }

    // MARK: Reading

    /// - Parameter words: the folded words of a clause.
    func names(in words: [String]) -> [String] {
        let text = Array(words.joined(separator: " ").unicodeScalars)
        let positions = positions(in: text)
        guard !positions.isEmpty, !Self.isWidened(text, without: positions.map(\.range)) else { return [] }
        var isMeant = positions.map { position in
            Self.isMeant(before: position.range.lowerBound, in: text, until: position.range.upperBound)
                || Self.isMeant(after: position.range.upperBound, in: text)
                    && !Self.isTaken(before: position.range.lowerBound, in: text)
        }
        // Names that are joined to one that is meant are meant, too.
        let isJoined = zip(positions, positions.dropFirst()).map { first, second in
            Self.isJoint(text[first.range.upperBound..<second.range.lowerBound])
        }
        for position in isJoined.indices where isJoined[position] && isMeant[position] { isMeant[position + 1] = true }
        for position in isJoined.indices.reversed() where isJoined[position] && isMeant[position + 1] {
            isMeant[position] = true
        }
        return zip(positions, isMeant).filter(\.1).map(\.0.name)
    }

    private func positions(in text: [Unicode.Scalar]) -> [(range: Range<Int>, name: String)] {
        var found: [(range: Range<Int>, name: String)] = []
        var position = 0
        while position < text.count {
            let match = known[text[position]]?.first { Self.stands($0.letters, at: position, in: text) }
            if let match { found.append((position..<position + match.letters.count, match.name)) }
            position += match?.letters.count ?? 1
        }
        return found
    }

    private static func stands(_ name: [Unicode.Scalar], at position: Int, in text: [Unicode.Scalar]) -> Bool {
        guard let first = name.first, let last = name.last, text[position...].starts(with: name) else { return false }
        let end = position + name.count
        // A name in Latin letters ends where these end, and Korean words begin after a space.
        let begins =
            position == 0 || text[position - 1] == " "
            || !(isSpaced(first) && isSpaced(text[position - 1]) || isHangul(first) && isHangul(text[position - 1]))
        if isThai(last), end < text.count, isThai(text[end]) { return isWhole(position..<end, in: text) }
        return begins && (end == text.count || text[end] == " " || !(isSpaced(last) && isSpaced(text[end])))
    }

    /// Whether a name of Thai letters between others is not the beginning of a longer word: `เพลงของปานที่เศร้า`, but not
    /// `เพลงปานกลาง`.
    private static func isWhole(_ name: Range<Int>, in text: [Unicode.Scalar]) -> Bool {
        // A vowel or a tone of the name's last letter, of which another syllable consists.
        let next = text[name.upperBound]
        guard next.properties.generalCategory != .nonspacingMark, !["ะ", "า", "ๅ"].contains(next) else { return false }
        if starts(after, at: name.upperBound, in: text) { return true }
        var earlier = text[..<name.lowerBound]
        while earlier.last == " " { earlier = earlier.dropLast() }
        return naming.contains { earlier.suffix($0.count).elementsEqual($0) }
            || joining.contains { !$0.isEmpty && text[name.upperBound...].starts(with: $0.unicodeScalars) }
    }

    private static func isMeant(before start: Int, in text: [Unicode.Scalar], until end: Int) -> Bool {
        guard !starts(others, at: end, in: text) else { return false }
        var position = start
        while true {
            let rest = text[..<position]
            if let mark = before.first(where: { rest.suffix($0.count).elementsEqual($0) }) {
                let earlier = rest.dropLast(mark.count)
                return !negations.contains { earlier.suffix($0.count).elementsEqual($0) }
            }
            if beforeAtStart.contains(where: { rest.elementsEqual($0) }) { return true }
            if let word = wordBetween(endingAt: position, in: text), start - position < farthest {
                position -= word.count
                continue
            }
            guard position > 0, start - position < farthest, between.contains(text[position - 1]) else { return false }
            position -= 1
        }
    }

    private static func wordBetween(endingAt end: Int, in text: [Unicode.Scalar]) -> [Unicode.Scalar]? {
        wordsBetween.first { text[..<end].suffix($0.count).elementsEqual($0) }
    }

    /// Whether a word before a name cancels one after it.
    private static func isTaken(before start: Int, in text: [Unicode.Scalar]) -> Bool {
        var position = start
        while true {
            let rest = text[..<position]
            if takingBefore.contains(where: { rest.suffix($0.count).elementsEqual($0) }) { return true }
            if rest.last == " " {
                position -= 1
                continue
            }
            guard let word = wordBetween(endingAt: position, in: text) else { return false }
            position -= word.count
        }
    }

    private static func isMeant(after end: Int, in text: [Unicode.Scalar]) -> Bool {
        var position = end
        while true {
            if let mark = mark(of: after, at: position, in: text),
                !(attached.contains(mark) && position > 0 && text[position - 1] == " ")
            {
                return !isTakenBack(position + mark.count, in: text)
            }
            guard let word = mark(of: songs, at: position, in: text) else { break }
            position += word.count
        }
        guard end < text.count, genitives.contains(text[end]) else { return false }
        // Between the genitive and the word for songs there may be a description of them.
        for start in text.indices[end...].dropFirst().prefix(farthest) {
            guard let word = mark(of: songs, at: start, in: text), !particles.contains(word[0]),
                let mark = mark(of: after, at: start + word.count, in: text)
            else { continue }
            return !isTakenBack(start + word.count + mark.count, in: text)
        }
        return false
    }

    private static func isTakenBack(_ position: Int, in text: [Unicode.Scalar]) -> Bool {
        let next = position < text.count && text[position] == " " ? position + 1 : position
        return starts(takenBack, at: next, in: text)
    }

    private static func mark(
        of marks: [[Unicode.Scalar]], at position: Int, in text: [Unicode.Scalar]
    ) -> [Unicode.Scalar]? {
        marks.first { text[position...].starts(with: $0) }
    }

    private static func starts(_ marks: [[Unicode.Scalar]], at position: Int, in text: [Unicode.Scalar]) -> Bool {
        mark(of: marks, at: position, in: text) != nil
    }

    private static func isJoint(_ gap: ArraySlice<Unicode.Scalar>) -> Bool {
        guard !gap.isEmpty else { return false }
        var gap = gap
        while let word = songs.first(where: { gap.starts(with: $0) }) { gap = gap.dropFirst(word.count) }
        while gap.last == " " { gap = gap.dropLast() }
        return joining.contains(String(String.UnicodeScalarView(gap)))
    }

    private static func isWidened(_ text: [Unicode.Scalar], without names: [Range<Int>]) -> Bool {
        var rest = text
        for name in names { for position in name { rest[position] = " " } }
        return rest.indices.contains { starts(widening, at: $0, in: rest) }
    }
}
