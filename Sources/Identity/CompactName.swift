import Model

/// A name or a title in the form in which it is compared: the letters and digits of its folded words, without spaces.
///
/// Services differ in spaces, punctuation, and `&` for `and`. So `Ain't`, `Ain’t` and `Ai n't` are equal.
struct CompactName: Sendable, Hashable {
    /// Folded and decomposed. A text without letters and digits keeps its signs, so that `+` and `÷` differ.
    let letters: String
    /// The hash of the letters.
    let hash: UInt64
    /// A hash that is equal for texts that may be the same apart from small differences: that of their consonants and
    /// digits in Latin letters, or of all letters if few consonants remain.
    let skeleton: UInt64
    /// The hash of all letters in their Latin form, which is equal for hiragana and katakana.
    let sound: UInt64
    /// Whether ``skeleton`` is made of consonants and digits only.
    let hasSkeleton: Bool
    let script: Script

    /// The script of a text. Texts in Latin letters cannot be distinguished from romanized ones.
    enum Script: UInt8, Sendable {
        /// Digits and signs only.
        case none
        case latin
        /// Another alphabet or syllabary, possibly mixed with Latin letters.
        case other
        /// Characters with several readings (Han), possibly mixed with others.
        case ideographs
    }

    static let empty = CompactName([Unicode.Scalar]())

    var isEmpty: Bool { letters.isEmpty }

    /// - Parameter readsNumerals: whether Roman numerals become digits. A different digit is never a small difference.
    init(_ words: [Word], in text: TokenText, readsNumerals: Bool = false) {
        self.init(Self.letters(words, in: text, readsNumerals: readsNumerals))
    }

    /// The letters and digits of words.
    static func letters(
        _ words: some Collection<Word>, in text: TokenText, readsNumerals: Bool = false
    ) -> [Unicode.Scalar] {
        var scalars: [Unicode.Scalar] = []
        scalars.reserveCapacity(words.reduce(0) { $0 + Int($1.end - $1.start) })
        let last = words.count - 1
        for (index, word) in words.enumerated() {
            if word.isConjunction, !word.is(.innerSeparator) || text.isAnd(word, isBetween: 0 < index && index < last) {
                continue
            }
            // `I`, `V` and `X` are also words and letters, but rarely at the end.
            if readsNumerals, word.is(.romanNumeral), word.end - word.start > 1 || index > 0 && index == last {
                scalars.append(contentsOf: String(word.keyword.number).unicodeScalars)
            } else {
                scalars.append(contentsOf: text.scalars[Int(word.start)..<Int(word.end)])
            }
        }
        if scalars.isEmpty {
            for word in words { scalars.append(contentsOf: text.scalars[Int(word.start)..<Int(word.end)]) }
        }
        return scalars
    }

    /// Creates the name of a text that has no words.
    init(signsOf text: TokenText) {
        self.init(text.scalars.filter { !$0.properties.isWhitespace })
    }

    /// - Parameter scalars: folded text.
    init(_ scalars: [Unicode.Scalar]) {
        script = Self.script(of: scalars)
        letters =
            script.rawValue <= Script.latin.rawValue && scalars.allSatisfy(\.isASCII)
            ? String(unsafeUninitializedCapacity: scalars.count) { buffer in
                for index in scalars.indices { buffer[index] = UInt8(truncatingIfNeeded: scalars[index].value) }
                return scalars.count
            } : String(String.UnicodeScalarView(scalars))
        hash = StableHash.of(scalars)
        let latin = script.rawValue >= Script.other.rawValue ? FoldedText.romanized(scalars) : scalars
        sound = StableHash.of(latin)
        let consonants = Self.consonants(of: latin)
        hasSkeleton = consonants.count >= Self.fewestConsonants
        skeleton = hasSkeleton ? consonants.hash : sound
    }

    static func == (left: CompactName, right: CompactName) -> Bool { left.hash == right.hash }
    func hash(into hasher: inout Hasher) { hasher.combine(hash) }

    /// With fewer consonants, different short words would be equal.
    private static let fewestConsonants = 3

    private static func script(of scalars: [Unicode.Scalar]) -> Script {
        var script = Script.none
        for scalar in scalars {
            switch scalar.value {
            case 0x61...0x7A, 0x80..<0x370: if script == .none { script = .latin }
            case 0x370...:
                if scalar.properties.isIdeographic { return .ideographs }
                script = .other
            default: continue
            }
        }
        return script
    }

    /// The consonants and digits without repeated consonants: `color` and `color`, `alright` and `all right` are
    /// equal.
    private static func consonants(of scalars: [Unicode.Scalar]) -> (count: Int, hash: UInt64) {
        var count = 0
        var hash = StableHash.start
        var last: Unicode.Scalar = " "
        for scalar in scalars {
            if !isVowel(scalar), scalar != last || scalar.value < 0x40 {
                count += 1
                StableHash.add(scalar, to: &hash)
            }
            last = scalar
        }
        return (count, hash)
    }

    private static func isVowel(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar {
        case "a", "e", "i", "o", "u", "y": true
        default: false
        }
    }

    /// A hash that is equal for names with equal skeletons, and for those with the same words in a different order:
    /// that of the distinct consonants, or of all letters if few consonants remain, and of the digits.
    var orderlessSkeleton: UInt64 {
        let scalars = Array(letters.unicodeScalars)
        let latin = script.rawValue >= Script.other.rawValue ? FoldedText.romanized(scalars) : scalars
        var seen: Set<Unicode.Scalar> = []
        var hash = StableHash.start
        var digits = StableHash.start
        for scalar in latin {
            switch scalar {
            case _ where hasSkeleton && Self.isVowel(scalar): continue
            case "0"..."9": StableHash.add(scalar, to: &digits)
            default: if seen.insert(scalar).inserted { hash &+= StableHash.of(StableHash.of([scalar]), 0) }
            }
        }
        return StableHash.of(hash, digits)
    }

    // MARK: Comparing

    /// Whether the letters can be compared with those of another name.
    func isComparable(with other: CompactName) -> Bool {
        script == other.script || script == .none || other.script == .none
    }

    /// Whether the names differ at most by the kind of errors that typing and encoding cause.
    func isNear(_ other: CompactName) -> Bool {
        if hash == other.hash { return true }
        guard skeleton == other.skeleton, isComparable(with: other) else { return false }
        if sound == other.sound { return true }
        guard hasSkeleton, other.hasSkeleton else { return false }
        let length = max(letters.utf8.count, other.letters.utf8.count)
        guard length >= Self.fewestLettersToDiffer else { return false }
        return EditDistance.isAtMost(1 + length / 10, letters, other.letters)
    }

    /// In shorter names, a single letter makes a different word.
    private static let fewestLettersToDiffer = 6
}
