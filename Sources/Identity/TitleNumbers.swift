import Model

/// The numbers of a title, and the rest of its text: the titles of two movements, chapters or acts may differ only in
/// their numbers.
struct TitleNumbers: Sendable {
    private let numbers: [UInt64]
    private let rest: CompactName

    /// Returns `nil` for words without numbers.
    init?(_ words: [Word], in text: TokenText) {
        var numbers: [UInt64] = []
        var rest: [Unicode.Scalar] = []
        for word in words where !word.isConjunction {
            if word.keyword.number > 0 {
                numbers.append(UInt64(word.keyword.number))
            } else if let ordinal = text.ordinal(of: word) {
                numbers.append(UInt64(ordinal))
            } else {
                Self.read(text.scalars[Int(word.start)..<Int(word.end)], &numbers, &rest)
            }
        }
        guard !numbers.isEmpty else { return nil }
        self.numbers = numbers
        self.rest = CompactName(rest)
    }

    /// Whether only the numbers tell two titles apart.
    func contradicts(_ other: TitleNumbers) -> Bool {
        numbers.count == other.numbers.count && numbers != other.numbers && rest.isNear(other.rest)
    }

    /// Whether two titles are equal except for the notation of their numbers: `7 Rings`, `Seven Rings`.
    func agrees(with other: TitleNumbers) -> Bool { numbers == other.numbers && rest.isNear(other.rest) }

    /// Reads numbers among the letters of a word: `Track12`, `第3番`, `第三楽章`.
    private static func read(
        _ scalars: ArraySlice<Unicode.Scalar>, _ numbers: inout [UInt64], _ rest: inout [Unicode.Scalar]
    ) {
        var isInNumber = false
        for index in scalars.indices {
            let scalar = scalars[index]
            let before = index > scalars.startIndex ? scalars[index - 1] : " "
            if let digit = digit(scalar) {
                if !isInNumber { numbers.append(0) }
                // A number with too many digits overflows, but still differs from others.
                numbers[numbers.count - 1] = numbers[numbers.count - 1] &* 10 &+ digit
                isInNumber = true
            } else if let digit = ideographs[scalar], isInNumber || before == "第" {
                if !isInNumber { numbers.append(0) }
                // 十 multiplies what precedes it by ten: 第十章, 第二十三章.
                let value = numbers[numbers.count - 1]
                numbers[numbers.count - 1] =
                    digit == 10 ? max(value, 1) &* 10 : before == "十" ? value &+ digit : value &* 10 &+ digit
                isInNumber = true
            } else {
                isInNumber = false
                rest.append(scalar)
            }
        }
    }

    private static func digit(_ scalar: Unicode.Scalar) -> UInt64? {
        if scalar.isASCII { return (0x30...0x39).contains(scalar.value) ? UInt64(scalar.value - 0x30) : nil }
        guard scalar.properties.numericType == .decimal else { return nil }
        return scalar.properties.numericValue.map { UInt64($0) }
    }

    private static let ideographs: [Unicode.Scalar: UInt64] = [
        "一": 1, "二": 2, "三": 3, "四": 4, "五": 5, "六": 6, "七": 7, "八": 8, "九": 9, "十": 10,
    ]
}
